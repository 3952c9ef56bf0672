import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..', '..')

/** Code of `docs/recipes/add-a-node.md`, without the types. */
const NODE = `
import { textOf } from '../json.ts'
import { countMessage, effect, rendered } from '../run.ts'
export const greeting = {
  types: { GreetingField: { label: 'Saudação', form: [{ key: 'who', kind: 'template', label: 'Quem' }] } },
  read: (fields) => ({ who: textOf(fields['who']) }),
  texts: ({ who }) => [who],
  check: ({ who }) => (who ? [] : [['unavailable', 'não diz a quem saúda.']]),
  perform(run, { who }) {
    if (countMessage(run)) effect(run, { type: 'send', body: rendered(run, 'Olá, ' + who + '!') })
  },
}
`

const USE = `
import { check } from '#domain/flow/check.ts'
import { INTERACTIONS } from '#domain/flow/nodes/index.ts'
import { readFlow } from '#domain/flow/read.ts'
import { does, flowOf, node, talk } from '#test/flow-steps.ts'
const greet = (who) => flowOf([node('a', [does('GreetingField', { who })])])
const sets = ['variables', 'queueIds', 'userIds', 'tagIds', 'connectionIds', 'smsIds', 'stageIds', 'pipelineStageIds',
  'calendarIds', 'reasonIds', 'fileIds'].map((key) => [key, new Set()])
const maps = ['assistants', 'secretOrigins', 'flows'].map((key) => [key, new Map()])
const existing = { chatFlowId: 1, ...Object.fromEntries([...sets, ...maps]) }
console.log(JSON.stringify({
  offered: INTERACTIONS.GreetingField,
  said: talk(greet('{{name}}'), []).texts,
  complaints: check(readFlow(greet('')), existing).map(({ code }) => code),
}))
`

test('a kind of interaction is added by one file and one line, as the recipe says', () => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const copy = mkdtempSync(join(root, '.cache', 'node-'))
  try {
    cpSync(join(root, 'package.json'), join(copy, 'package.json'))
    cpSync(join(root, 'src', 'domain'), join(copy, 'src', 'domain'), { recursive: true })
    for (const file of ['flow-steps.ts', 'flow-facts.ts']) cpSync(join(root, 'test', file), join(copy, 'test', file))
    const nodes = join(copy, 'src', 'domain', 'flow', 'nodes')
    writeFileSync(join(nodes, 'greeting.ts'), NODE)
    const index = readFileSync(join(nodes, 'index.ts'), 'utf8')
    const added = index
      .replace('import { media }', "import { greeting } from './greeting.ts'\nimport { media }")
      .replace('  media,\n', '  greeting,\n  media,\n')
    writeFileSync(join(nodes, 'index.ts'), added)
    writeFileSync(join(copy, 'use.ts'), USE)
    const told = JSON.parse(execFileSync(process.execPath, ['use.ts'], { cwd: copy, encoding: 'utf8' }))
    expect(told).toEqual({
      offered: { label: 'Saudação', isAvailable: true, form: [{ key: 'who', kind: 'template', label: 'Quem' }] },
      said: ['Olá, Maria!'],
      complaints: expect.arrayContaining(['unavailable']),
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
