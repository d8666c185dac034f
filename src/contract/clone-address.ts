/** Tells addresses of repositories from folders and names, for every door. */
export { keyOfAddress, looksLikeAddress, readCloneAddress } from "../domain/repository/clone-address.ts";
