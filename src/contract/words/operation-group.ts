/** Sorts the kinds of operations into the groups of a list. */
export { groupOfKind, OPERATION_GROUPS } from "../../domain/operation-group.ts";
