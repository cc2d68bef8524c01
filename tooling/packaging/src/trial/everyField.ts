import { parseSync, type TSInterfaceDeclaration, type TSType } from "oxc-parser"

/** The kind of a field's value, as a type that TypeScript has without the package. `mixed`: names of types that are more than objects. */
const kindOf = (type: TSType, mixed: ReadonlySet<string> = new Set()): string => {
  switch (type.type) {
    case "TSStringKeyword":
      return "string"
    case "TSNumberKeyword":
      return "number"
    case "TSBooleanKeyword":
      return "boolean"
    case "TSNullKeyword":
      return "null"
    case "TSUndefinedKeyword":
      return "undefined"
    case "TSUnknownKeyword":
      return "unknown"
    case "TSLiteralType":
      return type.literal.type === "Literal" ? typeof type.literal.value : "string"
    case "TSParenthesizedType":
      return kindOf(type.typeAnnotation, mixed)
    case "TSIntersectionType":
      // A branded string.
      return type.types.some(({ type }) => type === "TSStringKeyword") ? "string" : "object"
    case "TSUnionType":
      return [...new Set(type.types.map((one) => kindOf(one, mixed)))].join(" | ")
    case "TSTypeReference": {
      const [item] = type.typeArguments?.params ?? []
      const name = type.typeName.type === "Identifier" ? type.typeName.name : ""
      if (name === "ReadonlyArray" && item !== undefined) return `ReadonlyArray<${kindOf(item, mixed)}>`
      if (name === "Unlisted") return "string"
      return mixed.has(name) ? "unknown" : "object"
    }
    case "TSTypeOperator":
      return kindOf(type.typeAnnotation, mixed)
    case "TSTupleType":
    case "TSTypeLiteral":
    case "TSFunctionType":
    case "TSTypeQuery":
      return "object"
    default:
      throw new Error(`no kind is known for a field of ${type.type}`)
  }
}

/** A program that reads every field of every interface, and how many fields these are. */
export interface FieldProgram {
  /** The declarations, with each name exported. */
  readonly declarations: string
  readonly program: string
  readonly fields: number
}

/**
 * Writes a program that assigns every field of every interface in a declaration file to the plain type of its values: a string,
 * a number, a list of strings, an object. `specifier` is where the program finds the declarations.
 */
export const everyField = (text: string, specifier: string): FieldProgram => {
  const { errors, program } = parseSync("declarations.d.ts", text)
  if (errors.length > 0) throw new Error(errors[0]?.message)
  const mixed = new Set(
    program.body.flatMap((node) =>
      node.type === "TSTypeAliasDeclaration" &&
      node.typeAnnotation.type === "TSUnionType" &&
      kindOf(node.typeAnnotation) !== "object"
        ? [node.id.name]
        : []
    )
  )
  const found = program.body.filter((node): node is TSInterfaceDeclaration => node.type === "TSInterfaceDeclaration")
  const lines = found
    .filter(({ typeParameters }) => typeParameters === null || typeParameters === undefined)
    .flatMap(({ body, id }) =>
      body.body.flatMap((member) => {
        if (member.type !== "TSPropertySignature" || member.computed || member.typeAnnotation === null) return []
        const { key, optional, typeAnnotation } = member
        const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined
        if (name === undefined) throw new Error(`${id.name} has a field without a name`)
        const kind = kindOf(typeAnnotation.typeAnnotation, mixed)
        return [`(value: T.${id.name}): ${kind}${optional ? " | undefined" : ""} => value[${JSON.stringify(name)}]`]
      })
    )
  return {
    declarations: `${text.replace(/\nexport \{[^}]*\}\s*$/, "\n")}\nexport declare const everything: unknown\n`,
    // Each one a declaration of its own: a list of them would be a union type that is too complex.
    program: [
      `import type * as T from "${specifier}"\n`,
      ...lines.map((line, index) => `export const field${index} = ${line}`),
      ""
    ].join("\n"),
    fields: lines.length
  }
}
