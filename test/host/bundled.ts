/** The library that is bundled, with what it needs in turn. */
export const BUNDLED = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'];
