/** The libraries that are shipped: the one that our sources import, and what that needs in turn. */
export const BUNDLED = ['standardwebhooks', '@stablelib/base64', 'fast-sha256'];
