import ts from 'typescript'

/** Interface text that does not go through `t()`: its line (from 1), and its node in the tree. */
export type BareText = { line: number; text: string; node: ts.Node }

/** Files whose texts are samples, not the interface: the gallery of parts, the lab's conversations, helpers of tests. */
export const exempt = /\/Gallery\w*\.tsx$|\/lab\/web\/(samples|scripts)\.ts$|\/sample-[\w-]+\.ts$|\/web\/zod\//

const lookedUp = new Set(['t', 'plural'])
/** Calls whose texts only logs, developers or the code itself read. */
const unseen = /^(import|console\.\w+|note|holdPage|new \w*(Error|Exception|RegExp|Set|Map))$/

/** Attributes and properties without words: addresses, shortcuts, styles, samples of input. */
const technical = new Set(
  'as autoComplete className d defaultValue font href id key of path preserveAspectRatio rel sandbox shortcut src style to transform type viewBox'.split(
    ' ',
  ),
)
/** Attributes and properties that users read or hear; in these a single lower-case word is a text as well. */
const shown = new Set(
  'action alt aria-label description doing effect error facts hint label none note placeholder search sub text title unit words'.split(
    ' ',
  ),
)
/** Names that no language changes. */
const proper =
  /^([A-Z]{2,}|[\w-]+[@.][\w.-]+|update found|Files|(\{\})*Guichê|Guich|Android|Windows|Mac|Linux|WhatsApp|Instagram|Messenger|Telegram|WebChat|Node\.js|Ctrl|Enter|Esc|Escape|Shift|Delete|Backspace|[A-Z]\w+\/[A-Z]\w+|[A-Z][a-z]+Error)$/
/** Languages of machines: sheets, selectors, files, headers, scripts. */
const machine =
  /^\.{0,2}\/|^\{\} ?(px|ms|min|kB|MB)$|\[\w+=|\(hover|oklch\(|color-mix\(|var\(--|\b\d+px\b|sans-serif|^[\w-]+\/[\w-]+$|^[\w-]+: application\/|\bBearer\b|<\/?script|\bwindow\./
/** Keys of the code, such as `user 7`. */
const key = /^[a-z]+ \{\}$/

const hasWords = (text: string): boolean =>
  /[À-ÖØ-öø-ÿ]|\d \p{L}\p{L}+|(^|[^\p{L}])\p{Lu}\p{Ll}+([^\p{L}\d_]|$)|\p{L}\p{L}[,.:]? \p{L}|(^| )\p{L}\p{L}+ (\{|\p{L})|\} ?\p{L}\p{L}+( |$)/u.test(
    text,
  )

const isText = (text: string, isShown: boolean): boolean =>
  !proper.test(text) && !machine.test(text) && (isShown ? /\p{L}\p{L}/u.test(text) : hasWords(text) && !key.test(text))

function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
}

const isOperation = (node: ts.Node, operators: RegExp): boolean =>
  ts.isBinaryExpression(node) && operators.test(node.operatorToken.getText())

/** Whether a literal is a key or is compared, rather than passed on. */
const isKey = (node: ts.Node): boolean =>
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  ts.isPropertyAccessExpression(node.parent) ||
  ts.isElementAccessExpression(node.parent) ||
  ts.isCaseClause(node.parent) ||
  isOperation(node.parent, /^([!=]==?|in)$/)

/** Whether a text names a group of the menu; those names are keys that the menu translates. */
const isMenuGroup = (node: ts.Node, name: string | undefined): boolean =>
  (name === 'group' && node.parent.parent.getText().startsWith('menu:')) ||
  (ts.isVariableDeclaration(node) && node.name.getText() === 'menuGroups')

/** Whether a node's value is that of a node within it. */
const passesOn = (node: ts.Node): boolean =>
  ts.isConditionalExpression(node) ||
  ts.isArrayLiteralExpression(node) ||
  ts.isParenthesizedExpression(node) ||
  ts.isJsxExpression(node) ||
  isOperation(node, /^(\|\||\?\?|&&)$/)

/** Returns every untranslated text of a browser module that users would read, in source order. */
export function bareTexts(file: string, source: string): BareText[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: BareText[] = []
  const visit = (node: ts.Node, isShown: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    const named = ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)
    const name = named ? node.name.getText().replace(/['"]/g, '') : undefined
    if ((name !== undefined && technical.has(name)) || isMenuGroup(node, name)) return
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = `${ts.isNewExpression(node) ? 'new ' : ''}${node.expression.getText()}`
      if (unseen.test(called)) return
      if (lookedUp.has(called)) {
        for (const one of node.arguments ?? []) if (literalText(one) === undefined) visit(one, false)
        return
      }
    }
    const text = ts.isJsxText(node) ? node.text.trim() : literalText(node)
    if (text !== undefined && !isKey(node) && isText(text, isShown || ts.isJsxText(node)))
      found.push({ line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, text, node })
    const within = name === undefined ? isShown && passesOn(node) : shown.has(name)
    ts.forEachChild(node, (child) => {
      visit(child, within && !(ts.isConditionalExpression(node) && child === node.condition))
    })
  }
  visit(tree, false)
  return found
}
