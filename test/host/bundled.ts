/** The libraries that are bundled, without what they need in turn: Node does that. */
export const BUNDLED = ['libphonenumber-js', 'standardwebhooks'];
