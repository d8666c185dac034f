/** Names the limits of requests that client and server keep to. */

export { MAX_PICTURE_BYTES } from "../domain/read/picture-type.ts";

/** Most bytes that the body of a request may have: one mebibyte. */
export const MAX_BODY_BYTES = 1_048_576;

/** Most bytes of a shell's environment: more than a system accepts when it starts a program. */
export const MAX_ENVIRONMENT_BYTES = 4 * 1_048_576;

/** Most bytes that a worker sends when it joins. */
export const MAX_JOIN_BYTES = 4_096;

/** Most lines of a changed file in one answer. */
export const MAX_LINES = 1_000;

/** The longest time limit of a drain, in seconds. */
export const MAX_WITHIN_S = 7 * 24 * 3_600;
