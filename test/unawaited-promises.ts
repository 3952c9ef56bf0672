import ts from 'typescript'

/**
 * Promise that is started before an expression that may throw, and so is never awaited: its line (from 1), and that
 * expression.
 */
export type Unheld = { readonly line: number; readonly text: string }

/** Declared functions by name: whether they are `async`; null if declarations of a name differ. */
export type Functions = ReadonlyMap<string, boolean | null>

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node)

const isAsync = (node: ts.FunctionLikeDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false

/** Parses a source. */
export const parse = (file: string, source: string): ts.SourceFile =>
  ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)

const ofFiles = new WeakMap<ts.SourceFile, Functions>()

/** The functions of a source. */
function functionsIn(tree: ts.SourceFile): Functions {
  const known = ofFiles.get(tree) ?? functionsOf([tree])
  ofFiles.set(tree, known)
  return known
}

/** The functions of some sources. */
export function functionsOf(trees: readonly ts.SourceFile[]): Functions {
  const functions = new Map<string, boolean | null>()
  const note = (node: ts.Node): void => {
    if (isFunction(node)) {
      const name =
        node.name ??
        (ts.isVariableDeclaration(node.parent) || ts.isParameter(node.parent) ? node.parent.name : undefined)
      if (name && ts.isIdentifier(name)) {
        const known = functions.get(name.text)
        functions.set(name.text, known === undefined || known === isAsync(node) ? isAsync(node) : null)
      }
    }
    ts.forEachChild(node, note)
  }
  for (const tree of trees) note(tree)
  return functions
}

const COMBINERS = /^Promise\.(all|allSettled|race|any)$/
/** Calls without which no query can begin, and that do not throw on outside input. */
const SAFE = /^(Promise\.\w+|fetch|once|pause|setTimeout|sql|String|Number|Boolean|Symbol|new (Promise|Map|Set))$/

const nameOf = (node: ts.Expression): string => (ts.isPropertyAccessExpression(node) ? node.name.text : node.getText())

/** Returns the part of an expression that may throw during its evaluation, apart from later errors of async functions. */
function throwing(node: ts.Expression, functions: Functions): ts.Node | null {
  if (isFunction(node) || ts.isLiteralExpression(node) || ts.isIdentifier(node) || ts.isTaggedTemplateExpression(node))
    return null
  if (ts.isAwaitExpression(node)) return node
  if (ts.isNewExpression(node)) return SAFE.test(`new ${node.expression.getText()}`) ? null : node
  if (ts.isCallExpression(node)) {
    const { expression, arguments: args } = node
    const callee = ts.isParenthesizedExpression(expression) ? expression.expression : expression
    const inner = args.map((one) => throwing(one, functions)).find((one) => one !== null)
    if (inner) return inner
    if (expression.kind === ts.SyntaxKind.ImportKeyword || (isFunction(callee) && isAsync(callee))) return null
    if (SAFE.test(callee.getText())) return null
    const name = nameOf(callee)
    if (ts.isPropertyAccessExpression(callee)) {
      const receiver = throwing(callee.expression, functions)
      // A query is built by calls that only collect.
      if (receiver && !/^execute/.test(name)) return receiver
      const isOfList = name === 'find' && args.some(isFunction)
      return isOfList || /^(map|filter|flatMap|reduce|sort|parse|split|join)$/.test(name) ? node : null
    }
    return functions.get(name) === true ? null : node
  }
  let found: ts.Node | null = null
  ts.forEachChild(node, (child) => {
    if (!found && ts.isExpression(child)) found = throwing(child, functions)
    else if (!found && (ts.isPropertyAssignment(child) || ts.isSpreadAssignment(child)))
      found = throwing(ts.isPropertyAssignment(child) ? child.initializer : child.expression, functions)
    else if (!found && ts.isTemplateSpan(child)) found = throwing(child.expression, functions)
  })
  return found
}

const starts = (node: ts.Expression): boolean => {
  if (ts.isCallExpression(node)) return true
  return ts.isConditionalExpression(node) ? starts(node.whenTrue) || starts(node.whenFalse) : false
}

function importedBy(tree: ts.SourceFile, all: readonly ts.SourceFile[]): [string, boolean | null][] {
  return tree.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
    const names = importClause?.namedBindings
    if (!names || !ts.isNamedImports(names)) return []
    const path = (moduleSpecifier as ts.StringLiteral).text.replace(/^[#./]+/, '/')
    const source = all.find(({ fileName }) => fileName.endsWith(path))
    if (!source) return []
    const functions = functionsIn(source)
    return names.elements.flatMap(({ name }): [string, boolean | null][] => {
      const known = functions.get(name.text)
      return known === undefined ? [] : [[name.text, known]]
    })
  })
}

/**
 * Returns every promise of a source that would not be awaited if the following expression threw; `all` are the sources of
 * the program.
 */
export function unheldPromises(tree: ts.SourceFile, all: readonly ts.SourceFile[], named: Functions): Unheld[] {
  const found: Unheld[] = []
  // A name means the source's own declaration, or its import from a declaring source; otherwise any function of that name.
  const functions: Functions = new Map([...named, ...importedBy(tree, all), ...functionsIn(tree)])
  const note = (node: ts.Node) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
    found.push({ line, text: node.getText().split('\n')[0]!.slice(0, 80) })
  }
  const isPending = ({ initializer }: ts.VariableDeclaration): boolean =>
    initializer !== undefined &&
    ts.isCallExpression(initializer) &&
    ts.isIdentifier(initializer.expression) &&
    functions.get(initializer.expression.text) === true

  /** Reports promises in variables that are not used before something else is awaited. */
  const lookAtBlock = (statements: readonly ts.Statement[]) => {
    for (const [index, statement] of statements.entries()) {
      if (!ts.isVariableStatement(statement)) continue
      for (const declaration of statement.declarationList.declarations) {
        if (!isPending(declaration) || !ts.isIdentifier(declaration.name)) continue
        const uses = new RegExp(`\\b${declaration.name.text}\\b`)
        const next = statements.slice(index + 1).find((later) => uses.test(later.getText()) || mayLeave(later))
        if (next && !uses.test(next.getText())) note(declaration)
      }
    }
  }
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && COMBINERS.test(node.expression.getText())) {
      const [list] = node.arguments
      if (list && ts.isArrayLiteralExpression(list)) {
        const first = list.elements.findIndex(starts)
        for (const element of first < 0 ? [] : list.elements.slice(first + 1)) {
          const cause = throwing(element, functions)
          if (cause) note(cause)
        }
      }
    }
    if (ts.isBlock(node) || ts.isSourceFile(node)) lookAtBlock(node.statements)
    ts.forEachChild(node, look)
  }
  look(tree)
  return found
}

/** Whether a statement can leave the block with an error or a return: it awaits, throws or returns. */
function mayLeave(node: ts.Node): boolean {
  if (isFunction(node)) return false
  if (ts.isAwaitExpression(node) || ts.isThrowStatement(node) || ts.isReturnStatement(node)) return true
  return ts.forEachChild(node, (child) => mayLeave(child) || undefined) ?? false
}
