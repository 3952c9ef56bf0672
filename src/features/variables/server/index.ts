import { CONTACT_FIELD, TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { partBefore } from '#domain/present.ts'
import { fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { countLocked } from '#server/db/caps.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { mountResource, type ResourceWrite } from '#server/resource.ts'
import { constants } from '../constants.ts'
import { variables } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { isUsed, listCaptured, listConstants, listFieldVariables, listUses, nameOfConstant } from './queries.ts'

const MOST_CONSTANTS = 200

async function beforeWrite({ db }: Ctx, write: ResourceWrite): Promise<void> {
  if (write.action === 'create' && (await countLocked(db, 'template_constants')) >= MOST_CONSTANTS)
    fail('ERR_MAX_CONSTANTS')
  const before = write.action === 'create' ? undefined : await nameOfConstant(db, write.id)
  const name = write.action === 'delete' ? undefined : write.values['name']
  if (typeof name === 'string') {
    if (!/^[A-Za-z]\w*$/.test(name))
      fail('ERR_VALIDATION', { name: 'Use letras sem acento, números e sublinhado, e comece com uma letra.' })
    if (Object.hasOwn(TEMPLATE_VARIABLES, name)) fail('ERR_VALIDATION', { name: 'O produto já tem esta variável.' })
  }
  // A used constant cannot be renamed or removed, since texts would lose its value.
  if (before !== undefined && name !== before && (write.action === 'delete' || name !== undefined)) {
    if (await isUsed(db, before)) fail('ERR_CONSTANT_USED')
  }
}

/** Example values for each kind of field. */
const examples: Readonly<Record<string, string>> = {
  text: 'Convênio Vida',
  number: '1250,5',
  date: '14/03/2026',
  boolean: 'Sim',
}

const routes = implement(variables, {
  list: async ({ db }) => {
    const own = (await listConstants(db)).map(({ id, name, value }) => {
      return { name, kind: 'constant' as const, label: name, example: value, id }
    })
    const fields = (await listFieldVariables(db)).map(({ id, name, type, options, variable }) => {
      const example = examples[type] ?? partBefore(options, '\n').trim()
      return { name: CONTACT_FIELD + variable, kind: 'field' as const, label: name, example, id }
    })
    const captured = (await listCaptured(db)).map(({ id, flow, name }) => {
      return { name, kind: 'captured' as const, label: flow, example: '', id }
    })
    return { variables: [...own, ...fields, ...captured] }
  },
  uses: async ({ db, user }) => ({ uses: await listUses(db, user.id) }),
})

/** Server part of the feature `variables`: variables of texts. */
export const variablesFeature: Feature = {
  name: 'variables',
  titles: { variables: 'Variáveis dos textos', constants: 'Constantes' },
  permissions,
  errors,
  routes: [...routes, ...mountResource(constants, { beforeWrite })],
}
