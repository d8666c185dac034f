/** Names the limits of requests that both sides keep to. */

/** Most bytes that the body of a request may have: one mebibyte. */
export const MOST_BODY_BYTES = 1_048_576;
