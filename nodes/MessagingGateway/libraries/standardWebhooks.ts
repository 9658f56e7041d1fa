/** The part of `standardwebhooks` that the package uses. The build bundles the library into this file. */
export { Webhook } from 'standardwebhooks';
