import type { z } from 'zod'
import type { Operation } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import type { TenantSettings } from '#kit/settings.ts'
import { type Actor, may } from '#server/actors.ts'
import { jsonSchemaOf } from '#server/http/openapi.ts'
import { modeOf, type RawInput } from '#server/http/operate.ts'
import type { Route } from '#server/http/route.ts'
import { isForPrograms } from '../../forms.ts'
import { freeTexts } from './untrusted.ts'

/** Writing operations that run at once; all others wait for approval. */
const AT_ONCE = new Set([
  ...['tickets.create', 'tickets.begin', 'tickets.update', 'tickets.force', 'tickets.nullify', 'tickets.draft'],
  ...['tickets.follow', 'tickets.unfollow', 'ticketCommands.pause', 'ticketCommands.resume', 'messages.transfer'],
  ...['messages.send', 'contacts.create', 'contacts.update', 'contacts.setTags', 'tags.create', 'tags.update'],
  ...['tasks.create', 'tasks.update', 'opportunities.create', 'opportunities.update', 'opportunities.move'],
])

/** Families whose operations change a record of another family. */
const FAMILY_OF: Readonly<Record<string, string>> = { ticketCommands: 'tickets', 'messages.transfer': 'tickets' }

/** Idempotency ids of operations; a tool generates missing ones. */
const REPEAT_IDS = ['idFront', 'actId']

/** Operation as a tool of the Model Context Protocol. */
export type Tool = {
  readonly name: string
  readonly route: Route
  readonly mode: 'read' | 'write' | 'slow'
  /** Whether it is done at once, or waits for a person. */
  readonly isAtOnce: boolean
  /** Operation that reads the changed record, with the same path parameters; null if none. */
  readonly reader: Route | null
  /** JSON pointers to response values that may contain customers' texts; `*` is any index or key. */
  readonly untrusted: readonly string[]
}

/** JSON schema of a tool's arguments. */
type Arguments = { type: 'object'; properties: Record<string, unknown>; required?: string[]; [more: string]: unknown }

type Definition = {
  name: string
  title: string
  description: string
  inputSchema: Arguments
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
}

/** Returns the operations available as tools, by tool name: without those of sessions and of the installation. */
export function toolsOf(routes: readonly Route[]): ReadonlyMap<string, Tool> {
  const byName = new Map(routes.map((route) => [route.op.name, route]))
  const offered = routes.filter(({ op }) => {
    const isFile = modeOf(op) === 'slow' && op.method === 'GET'
    return op.can !== 'session' && op.can !== 'public' && isForPrograms(op.can) && !isFile
  })
  return new Map(offered.map((route) => [route.op.name.replace('.', '_'), toolOf(route, byName)]))
}

function toolOf(route: Route, byName: ReadonlyMap<string, Route>): Tool {
  const { op } = route
  const family = FAMILY_OF[op.name] ?? FAMILY_OF[op.family] ?? op.family
  const reader = byName.get(`${family}.get`)
  const isReader = reader && modeOf(reader.op) === 'read' && reader.op.method === 'GET'
  return {
    ...{ name: op.name.replace('.', '_'), route, mode: modeOf(op), isAtOnce: AT_ONCE.has(op.name) },
    reader: isReader && op.method !== 'GET' ? reader : null,
    get untrusted() {
      return freeTexts(op.returns)
    },
  }
}

/** Whether a program may use a tool now, by its scopes and its owner's permissions. */
export const has = (actor: Actor, settings: TenantSettings, { route: { op } }: Tool): boolean =>
  op.can !== 'session' && op.can !== 'public' && may(actor, settings, op.can)

type Definitions = { type?: string; shape?: Record<string, z.ZodType>; innerType?: z.ZodType }

/** Returns the fields of a body; null if it is not an object. */
function fieldsOf(schema: z.ZodType | undefined): Record<string, z.ZodType> | null {
  if (!schema) return {}
  const { shape, innerType }: Definitions = schema.def
  return shape ?? (innerType ? fieldsOf(innerType) : null)
}
const objectOf = (schema: z.ZodType): z.ZodType => {
  const { shape, innerType }: Definitions = schema.def
  return shape || !innerType ? schema : objectOf(innerType)
}

const namesOf = (op: Operation) => ({
  params: Object.keys(op.params?.shape ?? {}),
  query: Object.keys(op.query?.shape ?? {}),
  body: fieldsOf(op.body) && Object.keys(fieldsOf(op.body)!),
})

const definitions = new WeakMap<Operation, Definition>()

/** Returns a tool's definition for clients. */
export function definitionOf(tool: Tool): Definition {
  const { op } = tool.route
  const known = definitions.get(op)
  if (known) return known
  const made: Definition = {
    ...{ name: tool.name, title: op.summary.split(';', 1)[0]!, description: descriptionOf(tool) },
    inputSchema: argumentsOf(tool),
    annotations: {
      readOnlyHint: tool.mode === 'read',
      destructiveHint: op.method === 'DELETE' || (tool.mode !== 'read' && !tool.isAtOnce),
      idempotentHint: op.method !== 'POST',
      openWorldHint: tool.mode === 'slow',
    },
  }
  definitions.set(op, made)
  return made
}

function descriptionOf({ route: { op }, mode, isAtOnce }: Tool): string {
  const parts = [`${op.summary}.`]
  if (mode !== 'read' && !isAtOnce) parts.push('Espera a aprovação de uma pessoa: responde approvalId.')
  if (mode === 'write') parts.push('Com dryRun nada fica gravado, e before e after dizem o que mudaria.')
  return parts.join(' ')
}

function argumentsOf({ route: { op }, mode }: Tool): Arguments {
  const properties: Record<string, unknown> = {}
  const required = new Set<string>()
  const more: Record<string, unknown> = {}
  const bodyFields = fieldsOf(op.body)
  const parts = [op.params, op.query, op.body && bodyFields ? objectOf(op.body) : undefined]
  for (const part of parts) {
    if (!part) continue
    const { $defs, properties: own, required: needed = [] } = jsonSchemaOf(part, 'input', 'draft-2020-12')
    Object.assign(properties, own)
    if ($defs) more['$defs'] = Object.assign({}, more['$defs'], $defs)
    for (const name of needed) if (!REPEAT_IDS.includes(name)) required.add(name)
  }
  if (op.body && !bodyFields) properties['body'] = jsonSchemaOf(op.body, 'input', 'draft-2020-12')
  if (mode === 'read') delete properties['dryRun']
  else {
    delete properties['dryRun']
    if (mode === 'write')
      properties['dryRun'] = { type: 'boolean', description: 'Só mostrar o que mudaria; nada fica gravado.' }
    properties['prompt'] = {
      ...{ type: 'string', maxLength: 500 },
      description: 'O que a pessoa pediu, em uma frase; fica na auditoria.',
    }
  }
  return {
    ...{ type: 'object', properties, ...(required.size > 0 ? { required: [...required] } : {}) },
    ...{ additionalProperties: false, ...more },
  }
}

/**
 * Splits a tool's arguments into the operation's input. Throws an error per unknown field. Operations with their own dry run
 * get that flag too.
 */
export function rawInputOf(
  { route: { op } }: Tool,
  given: Readonly<Record<string, unknown>>,
  { isDry, newId }: { isDry: boolean; newId: () => string },
): RawInput {
  const names = namesOf(op)
  const body = names.body ?? ['body']
  const unknown = Object.keys(given).filter(
    (name) => ![names.params, names.query, body].some((of) => of.includes(name)),
  )
  if (unknown.length > 0)
    fail('ERR_VALIDATION', Object.fromEntries(unknown.slice(0, 20).map((name) => [name, 'Campo desconhecido.'])))
  const pick = (of: readonly string[]) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => of.includes(name)))
  const made = Object.fromEntries(
    REPEAT_IDS.filter((name) => body.includes(name) && given[name] === undefined).map((name) => [name, newId()]),
  )
  const dry = isDry && body.includes('dryRun') ? { dryRun: true } : {}
  return {
    ...{ params: pick(names.params), query: pick(names.query) },
    body: names.body ? { ...made, ...pick(body), ...dry } : given['body'],
  }
}
