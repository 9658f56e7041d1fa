/** The library that is bundled, without what it needs in turn: Node does that. */
export const BUNDLED = ['standardwebhooks'];
