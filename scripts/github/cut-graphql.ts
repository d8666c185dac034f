/** Keeps of a GraphQL schema the fields that queries ask for, with all that may be said to those fields. */
import {
  buildSchema,
  type DefinitionNode,
  getNamedType,
  Kind,
  parse,
  print,
  TypeInfo,
  type TypeNode,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";

/** Throws if the whole schema refuses a query. */
export function cutGraphql(sdl: string, queries: readonly string[]): string {
  // The published schema names two fields twice.
  const schema = buildSchema(sdl, { assumeValidSDL: true });
  const fields = new Map<string, Set<string>>();
  const types = new Set<string>();
  for (const query of queries) {
    const document = parse(query);
    const [error] = validate(schema, document);
    if (error !== undefined) throw error;
    const info = new TypeInfo(schema);
    const keep = () => {
      const type = getNamedType(info.getType());
      const parent = info.getParentType();
      const name = info.getFieldDef()?.name ?? "";
      if (type != null) types.add(type.name);
      if (parent != null) fields.set(parent.name, (fields.get(parent.name) ?? new Set()).add(name));
    };
    visit(document, visitWithTypeInfo(info, { Field: keep }));
  }
  const cut = parse(sdl).definitions.flatMap((each) => shortened(each, fields));
  for (const each of cut) visit(each, { NamedType: ({ name }) => void types.add(name.value) });
  const all = parse(sdl).definitions;
  const given = inputsOf(all, types);
  return [...cut, ...given].map((each) => print(visit(each, { Directive: () => null }))).join("\n\n");
}

function shortened(
  node: DefinitionNode,
  fields: ReadonlyMap<string, ReadonlySet<string>>,
): readonly DefinitionNode[] {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return [];
  const kept = fields.get(node.name.value);
  if (kept === undefined) return [];
  const own = (node.fields ?? []).filter(({ name }) => kept.has(name.value));
  return [withoutWords({ ...node, interfaces: [], fields: own })];
}

/** Inputs, enums and scalars with these names, and what they are made of. */
function inputsOf(all: readonly DefinitionNode[], names: ReadonlySet<string>): readonly DefinitionNode[] {
  const wanted = new Set(names);
  const found = new Map<string, DefinitionNode>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const node of all) {
      if (
        node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION &&
        node.kind !== Kind.ENUM_TYPE_DEFINITION &&
        node.kind !== Kind.SCALAR_TYPE_DEFINITION
      )
        continue;
      if (!wanted.has(node.name.value)) continue;
      found.set(node.name.value, withoutWords(node));
      if (node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) continue;
      for (const { type } of node.fields ?? []) wanted.add(nameOf(type));
    }
  }
  return [...found.values()];
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

function withoutWords<Node extends DefinitionNode>(node: Node): Node {
  return visit(node, { StringValue: () => null });
}
