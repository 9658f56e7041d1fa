/** The part of `content-disposition` that the package uses. The build bundles the library into this file. */
export { parse } from 'content-disposition';
