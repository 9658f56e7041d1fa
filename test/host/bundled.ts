/** The library that is bundled, and what it needs in turn. */
export const BUNDLED = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'];
