/**
 * Names the programs that serve the other side, in the arguments: `remote.NAME.uploadpack` and `receivepack` lie in a file that
 * an agent can reach, name a program that a remote on this machine would run here, and cannot be outranked by configuration.
 */

/** For `fetch`, `pull` and `ls-remote`. */
export const SENT_BY_STANDARD = "--upload-pack=git-upload-pack";
/** For `push`. */
export const TAKEN_BY_STANDARD = "--receive-pack=git-receive-pack";
