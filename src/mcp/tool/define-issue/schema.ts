/** Offers the answer schema of `define_issue` at the path of seed 004. The tool defines it. */
export { defineIssueOutput as defineIssueOutputSchema } from "../../../tools/issue/define_issue/validator.ts";
