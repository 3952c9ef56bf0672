import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** Dialogs without a closing button, each with the reason: Ctrl+Enter closes them, or selects the focused entry. */
const WITHOUT: Readonly<Record<string, string>> = {
  'src/features/attendance/web/NewConversation.tsx': 'a choice ends it',
  'src/features/connections/web/ChannelChoice.tsx': 'a choice ends it',
  'src/features/teams/web/Members.tsx': 'saves at once',
  'src/features/tickets/web/asked/GroupUsers.tsx': 'saves at once',
  'src/features/webhook-endpoints/web/DeliveryLog.tsx': 'a list, narrowed by its field',
  'src/web/shell/Palette.tsx': 'a choice ends it',
  'src/web/shell/PlaceList.tsx': 'a link ends it',
}

const FIELD = /(Input|Select|Choice|Picker|^Textarea|^input|^textarea|^Radio|^Checkbox)$/

/** Returns the tags of a file that concern dialogs. */
function readTags(file: string) {
  const tags: { name: string; variant: boolean }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const variant = node.attributes.properties.some((one) => one.name?.getText() === 'variant')
      tags.push({ name: node.tagName.getText(), variant })
    }
    ts.forEachChild(node, visit)
  }
  const source = readFileSync(file, 'utf8')
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return {
    isDialog: tags.some(({ name }) => /^(Modal|Drawer\.Root|Drawer)$/.test(name)),
    hasFields: tags.some(({ name }) => FIELD.test(name)),
    hasEnd: tags.some(
      ({ name, variant }) => /^(form|DialogEnd|FormDialog)$/.test(name) || (/^(Busy)?Button$/.test(name) && !variant),
    ),
  }
}

test('every dialog with fields is ended by Ctrl+Enter: it has one filled button, or a form', () => {
  const dialogs = globSync('src/**/*.tsx')
    .map((file) => ({ file, ...readTags(file) }))
    .filter(({ isDialog, hasFields }) => isDialog && hasFields)
  expect(dialogs.length).toBeGreaterThan(15)
  expect(dialogs.flatMap(({ file, hasEnd }) => (hasEnd ? [] : [file])).sort()).toEqual(Object.keys(WITHOUT).sort())
})
