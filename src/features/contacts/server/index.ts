import { spellingsOf } from '#domain/phone/brazil.ts'
import { startClosingOf } from '#features/attendance/server/bulk/index.ts'
import { contactEvents } from '#features/ledger/contact-events.ts'
import { groupUsersOf } from '#features/ledger/server/groups/index.ts'
import type { ContactBook, Sender } from '#features/ledger/server/ports/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import type { Feature } from '#server/feature.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { contacts } from '../contract.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { settings } from '../settings.ts'
import { contactBulkRoutes } from './bulk.ts'
import { changesOfContact } from './changes.ts'
import { checkJob, checkRoutes, noteReached, type Reached, requireReachable } from './checks.ts'
import { fieldRoutes } from './fields.ts'
import { previewForced, removeForced } from './forced.ts'
import { certificates, forgetPerson, previewForget } from './forget.ts'
import { importRoutes } from './imports/imports.ts'
import { importJob } from './imports/job.ts'
import { listContacts, onlyFor } from './list.ts'
import { listDuplicates } from './merges/duplicates.ts'
import { learn, linkJob } from './merges/link.ts'
import {
  identitiesOf,
  mergeContacts,
  mergesOf,
  previewMerge,
  setDistinct,
  undoMergeOf,
  visiblePerson,
} from './merges/operations.ts'
import { nameJob, noticeName } from './named.ts'
import { askForPictures, pictureChanged, pictureJob } from './pictures.ts'
import { countTickets, deleteContact, findByNumber, hasOpportunities, loadContacts, maySee } from './queries.ts'
import {
  claimIdentities,
  claimIdentity,
  findAddresses,
  findContacts,
  findIdentity,
  meetContacts,
  moveIdentity,
  setBlocking,
} from './queries-identities.ts'
import { changeContact, createContact, describeFromChannel, lockVisibleContact, publishing, spellings } from './save.ts'
import { serializeContactDetail } from './serializer.ts'
import { restoreStages, setStage } from './stage.ts'
import { contactViewRoutes } from './views.ts'

export { contactsKind } from './bulk.ts'
export { giveToContacts } from './give.ts'
export { registerImportConsents } from './imports/consents.ts'
export { forgetImports, removeImports } from './imports/queries.ts'
export { narrowingOf, onlyFor } from './list.ts'
export { link } from './merges/link.ts'
export { merge } from './merges/merge.ts'
export { forgetWallets, loadContacts, setChatbotBlocked } from './queries.ts'
export { describeContact } from './queries-identities.ts'
export { contactsFor, type Narrowing, narrowedContacts, type OnlyFor } from './queries-list.ts'
export { mergeTagsOfContacts } from './queries-tags.ts'
export { forgetContactViews } from './queries-views.ts'
export { createContact } from './save.ts'
export { serializeContact } from './serializer.ts'
export { emptyStage } from './stage.ts'

/** Contact port for conversations. */
export const contactBook: ContactBook = {
  isSeen: async (ctx, id) => onlyFor(ctx) === null || maySee(ctx.db, id, onlyFor(ctx)),
  find: findContacts,
  ofNumber: (db, digits) => findByNumber(db, spellingsOf(digits)),
  meet: async (ctx, senders) => {
    const several: Sender[] = []
    const found = await meetContacts(ctx.db, senders, several)
    for (const sender of several) learn(ctx, sender)
    askForPictures(
      ctx,
      senders.map(({ channel }) => channel),
    )
    return found
  },
  learn,
  called: noticeName,
  describe: describeFromChannel,
  looksOtherwise: pictureChanged,
  blocking: async (ctx, about) => {
    const contactId = await setBlocking(ctx.db, about)
    if (contactId !== undefined) await publishing(ctx, [contactId], false, async () => {})
  },
  moved: (ctx, about) => moveIdentity(ctx.db, about),
  identityOf: findIdentity,
  addressesOf: findAddresses,
  claim: claimIdentity,
  claimAll: claimIdentities,
  setStage,
  restoreStages,
}

/** Checks that the user may see a contact. */
export const maySeeContact = (ctx: Viewing, id: number): Promise<boolean> => maySee(ctx.db, id, onlyFor(ctx))

type Viewing = Pick<ReadCtx, 'platform' | 'settings'> & { db: Queryable; user: Actor }

const routes = implement(contacts, {
  list: (ctx, { query }) => listContacts(ctx, query),
  get: (ctx, { params }) => detail(ctx, params.id),
  byNumber: async (ctx, { params }) => {
    const numbers = await spellings(params.number)
    const found = numbers && (await findByNumber(ctx.db, numbers))
    return detail(ctx, required(found, 'ERR_NO_CONTACT_FOUND').id)
  },
  create: (ctx, { body }) =>
    checking(ctx, body, async (inner, found) => {
      const id = await createContact(inner, body)
      if (found) await noteReached(inner, id, found)
      return saved(inner, id)
    }),
  update: (ctx, { params, body }) =>
    checking(ctx, { ...body, id: params.id }, async (inner, found) => {
      const answer = await changed(inner, params.id, body)
      if (found) await noteReached(inner, answer.id, found)
      return answer
    }),
  setTags: (ctx, { params, body }) => changed(ctx, params.id, body),
  setWallets: (ctx, { params, body }) => changed(ctx, params.id, body),
  identities: (ctx, { params }) => identitiesOf(ctx, params.id),
  merges: (ctx, { params, query }) => mergesOf(ctx, params.id, query),
  previewMerge: (ctx, { params, query }) => previewMerge(ctx, params.id, query.contactId),
  merge: async (ctx, { params, body }) => {
    const { mergeId, person } = await mergeContacts(ctx, params.id, body)
    return { mergeId, contact: await saved(ctx, person) }
  },
  undoMerge: async (ctx, { params }) => {
    const [one, other] = await undoMergeOf(ctx, params.mergeId)
    return { contacts: [await saved(ctx, one), await saved(ctx, other)] }
  },
  duplicates: (ctx, { query }) => listDuplicates(ctx, query),
  setDistinct: (ctx, { body }) => setDistinct(ctx, body),
  changes: (ctx, { params, query }) => changesOfContact(ctx, params.id, query),
  previewForget: (ctx, { params }) => previewForget(ctx, params.id),
  forget: (ctx, { params }) => forgetPerson(ctx, params.id),
  certificates: (ctx, { params }) => certificates(ctx, params.id),
  closeAll: async (ctx, { body: { contactId, ...args } }) =>
    startClosingOf(ctx, await visiblePerson(ctx, contactId), args),
  previewForced: async (ctx, { params }) => previewForced(ctx, params.id),
  removeForced: (ctx, { params }) => removeForced(ctx, params.id),
  remove: async (ctx, { params }) => {
    const id = await visiblePerson(ctx, params.id)
    await lockVisibleContact(ctx, id)
    if ((await countTickets(ctx.db, id)) > 0) fail('ERR_CONTACT_TICKETS_REGISTERED')
    if (await hasOpportunities(ctx.db, id)) fail('ERR_CONTACT_OPPORTUNITIES')
    await deleteContact(ctx.db, id)
    ctx.emit(contactEvents.delete, { id }, { kind: 'permission', permission: 'contacts:read' })
    return { message: 'ok' }
  },
})

// Asks the channel before any lock is taken.
async function checking<T>(
  ctx: SlowCtx,
  given: { readonly id?: number; readonly number?: string | undefined },
  work: (ctx: Ctx & { user: Actor }, found: Reached | null) => Promise<T>,
): Promise<T> {
  const found = await requireReachable(ctx, given)
  return unit(ctx.platform, ctx, (inner) => work({ ...inner, user: ctx.user }, found))
}

// A merged contact is returned as its person.
const detail = async (ctx: Viewing, id: number) => saved(ctx, await visiblePerson(ctx, id))

async function changed(
  ctx: Parameters<typeof changeContact>[0],
  id: number,
  body: Parameters<typeof changeContact>[2],
) {
  const person = await visiblePerson(ctx, id)
  await changeContact(ctx, person, body)
  return saved(ctx, person)
}

// Returns what the user just saved, even if it is now in another user's wallet.
async function saved(ctx: Viewing, id: number) {
  const [row] = await loadContacts(ctx.db, [id])
  const ticketCount = await countTickets(ctx.db, id)
  const groupUserIds = row?.is_group ? await groupUsersOf(ctx.db, id) : []
  return serializeContactDetail(ctx, required(row, 'ERR_NO_CONTACT_FOUND'), { ticketCount, groupUserIds })
}

/** Contacts feature. */
export const contactsFeature: Feature = {
  name: 'contacts',
  titles: {
    contacts: 'Contatos',
    contactsBulk: 'Contatos em lote',
    contactFields: 'Campos de contatos',
    contactViews: 'Visões salvas dos contatos',
    contactChecks: 'Contatos e seus canais',
    contactImports: 'Importar e exportar contatos',
  },
  settings,
  permissions,
  errors,
  routes: [...routes, ...contactBulkRoutes, ...fieldRoutes, ...contactViewRoutes, ...importRoutes, ...checkRoutes],
  jobs: [checkJob, linkJob, nameJob, pictureJob, importJob],
  constraints: { contacts_number: 'ERR_DUPLICATED_CONTACT' },
}
