import ts from 'typescript'

/** Whether an expression returns parsed JSON: `JSON.parse(…)`, `parseJson(…)`, `response.json()`. */
function isParsed(node: ts.Node | undefined): boolean {
  if (!node) return false
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isNonNullExpression(node))
    return isParsed(node.expression)
  if (ts.isConditionalExpression(node)) return isParsed(node.whenTrue) || isParsed(node.whenFalse)
  if (!ts.isCallExpression(node)) return false
  return /^(JSON\.parse|parseJson)$|\.json$/.test(node.expression.getText().replaceAll(/\?|\s/g, ''))
}

const isUnknown = (type: ts.TypeNode): boolean => type.kind === ts.SyntaxKind.UnknownKeyword

/**
 * Returns the lines (from 1) at which a module claims a type of parsed JSON: with `as`, a type annotation, or by
 * destructuring.
 */
export function claimedTypes(file: string, source: string): number[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: number[] = []
  const visit = (node: ts.Node): void => {
    const isClaim =
      (ts.isAsExpression(node) && isParsed(node.expression) && !isUnknown(node.type)) ||
      (ts.isVariableDeclaration(node) &&
        isParsed(node.initializer) &&
        (node.type ? !isUnknown(node.type) : !ts.isIdentifier(node.name))) ||
      ((ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) && isParsed(node.expression))
    if (isClaim) found.push(tree.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}
