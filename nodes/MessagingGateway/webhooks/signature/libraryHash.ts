/**
 * Stands in what is shipped for the hashing that the library brings along: ours is done by Node, and the library's is
 * never called.
 */
export function hmac(): never {
	throw new Error('Signatures are hashed by Node');
}
