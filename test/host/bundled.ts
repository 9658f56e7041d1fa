/** The library that is bundled, and what it needs in turn but for its hashing, which is left out. */
export const BUNDLED = ['standardwebhooks', '@stablelib/base64'];
