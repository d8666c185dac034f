/** Makes values equal in both databases: booleans are 0 and 1, and text holds no NUL, which Postgres refuses. */
import {
  CamelCasePlugin,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type ValueNode,
} from "kysely";

/** Names are in camelCase here and in snake_case in the database; what JSON holds keeps its own keys. */
export function storagePlugins(): KyselyPlugin[] {
  return [new CamelCasePlugin({ maintainNestedObjectKeys: true }), columnValues];
}

class ValueTransformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: stored(node.value) };
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(stored) };
  }
}

const transformer = new ValueTransformer();
const columnValues: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};

function stored(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return value.replaceAll("\0", "\u{FFFD}");
  return value;
}
