/** Makes values equal in both databases: booleans are 0 and 1, and text holds no NUL, which Postgres refuses. */
import {
  CamelCasePlugin,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
} from "kysely";

/** Names are in camelCase here and in snake_case in the database; what JSON holds keeps its own keys. */
export function storagePlugins(): KyselyPlugin[] {
  return [new CamelCasePlugin({ maintainNestedObjectKeys: true }), new ColumnValues()];
}

class ColumnValues implements KyselyPlugin {
  readonly #transformer = new ValueTransformer();

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(args.node, args.queryId);
  }

  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result;
  }
}

class ValueTransformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: stored(node.value) };
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(stored) };
  }
}

function stored(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return value.replaceAll("\0", "\u{FFFD}");
  return value;
}
