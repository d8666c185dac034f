/** Names the limits of requests that client and server keep to. */

/** Most bytes that the body of a request may have: one mebibyte. */
export const MAX_BODY_BYTES = 1_048_576;

/** Most bytes of a shell's environment: more than a system accepts when it starts a program. */
export const MAX_ENVIRONMENT_BYTES = 4 * 1_048_576;
