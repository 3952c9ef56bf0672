import { callTexts } from '#domain/flow/calls.ts'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { Flow } from '#domain/flow/flow.ts'
import { mapSecrets, originOf, secretIdOf, secretParts, secretReference, secretsIn } from '#domain/flow/secrets.ts'
import { hintOf, MASK_START, maskOf } from '#kit/fields/secret.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { encryptionAt } from '#server/providers/encryption.ts'
import {
  bindSecrets,
  documentsWithSecrets,
  flowsWithSecrets,
  insertSecrets,
  listSecrets,
  removeUnusedSecrets,
  type StoredSecret,
  saveWithoutSecrets,
} from './queries-secrets.ts'

type Owner = Pick<Ctx, 'platform' | 'tenantId'>

const encryptionOf = ({ platform, tenantId }: Owner, id: string) =>
  encryptionAt(platform, `${tenantId}/flow_secrets/${id}`)

/** Decrypts a stored secret. */
export const plainSecret = (of: Owner, { id, encrypted }: StoredSecret): string =>
  encryptionOf(of, id).decrypt(encrypted)

/** Returns a document with masked secrets, for display and export: of each only its last characters. */
export function withMasks(document: FlowDocument, known: readonly StoredSecret[]): FlowDocument {
  const hints = new Map(known.map(({ id, hint }) => [id, hint]))
  return mapSecrets(document, (text) => {
    const id = secretIdOf(text)
    return maskOf(id === null ? hintOf(text) : (hints.get(id) ?? ''))
  })
}

/** Returns a document with plain secrets, to be stored again at once. */
export function withPlainSecrets(of: Owner, document: FlowDocument, known: readonly StoredSecret[]): FlowDocument {
  return mapSecrets(document, (text) => {
    const secret = known.find(({ id }) => id === secretIdOf(text))
    return secret ? plainSecret(of, secret) : text
  })
}

/**
 * Replaces secrets in a document by references and returns the new secrets. A mask is resolved to the secret at the same
 * place in the draft `before`, else to the flow's only one with that name and ending; an unresolved mask stays, and `check`
 * reports it.
 */
export function withReferences(
  ctx: Owner & Pick<Ctx, 'newId'>,
  given: FlowDocument,
  { before, known }: { readonly before: FlowDocument | null; readonly known: readonly StoredSecret[] },
): { readonly document: FlowDocument; readonly added: readonly StoredSecret[] } {
  const added: StoredSecret[] = []
  const free = before ? secretsIn(before) : []
  const document = mapSecrets(given, (text, { at, name, origin }) => {
    const all = [...known, ...added]
    const mask = (id: string) => maskOf(all.find((secret) => secret.id === id)?.hint ?? '')
    if (all.some(({ id }) => id === secretIdOf(text))) return text
    if (text.includes(MASK_START)) {
      const there = free.filter((one) => one.at === at && mask(one.id) === text)
      const found = there.find((one) => one.name === name) ?? there[0]
      // Equal masks are assigned in order.
      if (found) free.splice(free.indexOf(found), 1)
      const named = all.filter((secret) => secret.name === name && maskOf(secret.hint) === text)
      const id = found?.id ?? (named.length === 1 ? named[0]?.id : undefined)
      return id === undefined ? text : secretReference(id)
    }
    const hint = hintOf(text)
    const isSame = (one: StoredSecret) => one.name === name && one.origin === origin && one.hint === hint
    const same = all.find((one) => isSame(one) && plainSecret(ctx, one) === text)
    if (same) return secretReference(same.id)
    const id = ctx.newId()
    added.push({ id, name, origin, hint, encrypted: encryptionOf(ctx, id).encrypt(text) })
    return secretReference(id)
  })
  return { document, added }
}

/** Stores the secrets of a flow's draft and returns the draft with references. */
export async function saveSecrets(
  ctx: Ctx,
  flowId: number,
  given: FlowDocument,
  before: FlowDocument | null,
): Promise<FlowDocument> {
  const known = await listSecrets(ctx.db, flowId)
  const { document, added } = withReferences(ctx, given, { before, known })
  await insertSecrets(ctx.db, flowId, added, ctx.now)
  return document
}

/** Sets the origins of secrets from the published document, and deletes unreferenced secrets. */
export async function publishSecrets(ctx: Ctx, flowId: number, { nodes }: Flow): Promise<void> {
  const calls = [...nodes.values()].flatMap(({ interactions }) =>
    interactions.flatMap((one) => (one.does === 'call' ? [one.call] : [])),
  )
  const origins = calls.flatMap((call) =>
    callTexts(call)
      .flatMap(secretParts)
      .flatMap(({ secretId }) => (secretId === null ? [] : [{ id: secretId, origin: originOf(call.url) }])),
  )
  await bindSecrets(ctx.db, origins)
  await removeUnusedSecrets(ctx.db, flowId)
}

/** Moves secrets out of old documents; resumes at the next start. */
export async function separateSecrets(platform: Platform): Promise<void> {
  for (const { tenantId, flowId } of await platform.db.asPlatform(flowsWithSecrets)) {
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      for (const { version, definition } of await documentsWithSecrets(ctx.db, flowId)) {
        const document = await saveSecrets(ctx, flowId, definition, null)
        await saveWithoutSecrets(ctx.db, flowId, { version, definition: document })
      }
    })
  }
}
