/** Tells addresses of repositories from folders and names, for every door. */
export { looksLikeAddress, readCloneAddress } from "../domain/repository/clone-address.ts";
