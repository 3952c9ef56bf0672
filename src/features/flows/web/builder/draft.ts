import type { FlowDocument } from '#domain/flow/document.ts'
import { embeddedContent, mediaIn } from '#domain/flow/media.ts'
import type { Answer } from '#kit/contract.ts'
import { isApiError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { connectionState, on } from '#web/realtime/realtime.ts'
import { viewer } from '#web/session/session.ts'
import { createStore } from '#web/store.ts'
import { markUnsaved } from '#web/unsaved.ts'
import { flowEvents, flows } from '../../addresses.ts'
import { refusalText } from '../refusal.ts'

/** Chat flow as the builder reads it. */
export type Detail = Answer<typeof flows.get>

/**
 * Save state of the draft: saved, pending, being saved, failed (retried later), or changed by another editor, which a person
 * has to resolve.
 */
type Saving = 'saved' | 'waiting' | 'saving' | 'failed' | 'changed'

/** State of a draft being edited. */
export type DraftState = {
  readonly document: FlowDocument
  readonly past: readonly FlowDocument[]
  readonly future: readonly FlowDocument[]
  readonly saving: Saving
  readonly savedAt: number | null
  /** Author of the server's latest change, if another editor. */
  readonly by: string | null
  readonly error: string | null
  /** Server's state of the flow: problems, revision, version. */
  readonly detail: Detail
}

const pauseMs = 700
const retryMs = 5000
const togetherMs = 1000
const mostSteps = 100

const hasFiles = (document: FlowDocument) => mediaIn(document).some((fields) => embeddedContent(fields) !== null)

/** Creates the draft store of a flow: edits with undo, saved automatically on top of the revision that was read. */
export function createDraft(detail: Detail) {
  const state = createStore<DraftState>({
    document: detail.flow,
    ...{ past: [], future: [], saving: 'saved', savedAt: null, by: null, error: null, detail },
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let underway: Promise<void> | null = null
  let last = { key: '', at: 0 }
  let mark: { name: string; end: () => void } | null = null
  // Unsaved changes warn when the tab closes; failed ones also when leaving the screen.
  const markAs = (name: string | null) => {
    if (mark?.name === (name ?? undefined)) return
    mark?.end()
    mark = name === null ? null : { name, end: markUnsaved(name) }
  }
  const patch = (next: Partial<DraftState>) => {
    state.set({ ...state.get(), ...next })
    const { saving } = state.get()
    markAs(saving === 'saved' ? null : saving === 'failed' || saving === 'changed' ? 'form' : 'draft')
  }
  const saveIn = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), ms)
  }
  const write = (next: Partial<DraftState>) => {
    if (state.get().saving === 'changed') return patch(next)
    patch({ ...next, saving: underway ? 'saving' : 'waiting' })
    if (!underway) saveIn(pauseMs)
  }

  /** Edits the document; successive edits with the same `key` form one undo step. */
  function edit(change: (document: FlowDocument) => FlowDocument, key = ''): void {
    const { document, past } = state.get()
    const next = change(document)
    if (next === document) return
    const now = Date.now()
    const isMore = key !== '' && key === last.key && now - last.at < togetherMs
    last = { key, at: now }
    write({ document: next, past: isMore ? past : [...past, document].slice(-mostSteps), future: [] })
  }
  function undo(): void {
    const { document, past, future } = state.get()
    const before = past.at(-1)
    last = { key: '', at: 0 }
    if (before) write({ document: before, past: past.slice(0, -1), future: [document, ...future] })
  }
  function redo(): void {
    const { document, past, future } = state.get()
    const [next, ...rest] = future
    last = { key: '', at: 0 }
    if (next) write({ document: next, past: [...past, document], future: rest })
  }

  /** Checks whether the server refused because another editor saved first; a person then has to choose. */
  function isOvertaken(refused: unknown): boolean {
    const isSo = isApiError(refused) && refused.code === 'ERR_FLOW_CHANGED'
    if (isSo) patch({ saving: 'changed', error: null })
    return isSo
  }
  async function send(): Promise<void> {
    const { document, detail } = state.get()
    patch({ saving: 'saving' })
    try {
      const input = { params: { id: detail.id }, body: { flow: document, revision: detail.revision } }
      const answer = await call(flows.update, input, { quiet: true })
      const isSame = state.get().document === document
      // Embedded files are stored separately now and are not sent again.
      const stored = isSame && hasFiles(document) ? { document: answer.flow } : {}
      const saved = { detail: answer, savedAt: Date.now(), by: null, error: null }
      patch({ ...stored, ...saved, saving: isSame ? 'saved' : 'waiting' })
      if (!isSame) saveIn(pauseMs)
    } catch (error) {
      if (isOvertaken(error)) return
      patch({ saving: 'failed', error: refusalText(error) })
      saveIn(retryMs)
    }
  }
  function save(): Promise<void> {
    clearTimeout(timer)
    underway ??= send().finally(() => {
      underway = null
    })
    return underway
  }
  /** Saves pending changes; returns whether everything is saved. */
  async function flush(): Promise<boolean> {
    for (let tries = 0; tries < 3; tries++) {
      const { saving } = state.get()
      if (saving === 'saved') return true
      if (saving === 'changed') return false
      await save()
    }
    return state.get().saving === 'saved'
  }

  const read = () => call(flows.get, { params: { id: state.get().detail.id } }, { quiet: true })
  /** Overwrites another editor's changes with this draft. */
  async function saveMine(): Promise<void> {
    patch({ detail: await read(), saving: 'waiting' })
    await save()
  }
  /** Adopts the server's document; undo restores this draft. */
  async function takeTheirs(): Promise<void> {
    take(await read())
  }
  function take(theirs: Detail, by: string | null = null): void {
    const { document, past, detail: mine } = state.get()
    clearTimeout(timer)
    const isOther = theirs.revision !== mine.revision || state.get().saving !== 'saved'
    // Several saves of another editor form one undo step.
    const key = by === null ? '' : `by ${by}`
    const isMore = by !== null && last.key === key
    last = { key, at: 0 }
    const drawn = { document: theirs.flow, past: isMore ? past : [...past, document], future: [], savedAt: Date.now() }
    patch({ ...(isOther ? { ...drawn, by } : {}), detail: theirs, saving: 'saved', error: null })
  }
  type Known = { readonly revision: number; readonly version: number | null; readonly trial: number | null }
  const isKnown = ({ revision, version, trial }: Known): boolean => {
    const { detail: now } = state.get()
    return revision === now.revision && version === now.version && trial === (now.trial?.version ?? null)
  }
  /** Adopts changes that another editor saved or published, if there are no unsaved changes here. */
  async function follow(by: string | null): Promise<void> {
    if (state.get().saving !== 'saved') return
    const { document } = state.get()
    const theirs = await read().catch(() => null)
    if (!theirs || isKnown({ ...theirs, trial: theirs.trial?.version ?? null })) return
    if (state.get().document === document && state.get().saving === 'saved') take(theirs, by)
  }
  const offs = [
    on(flowEvents.changed, ({ chatFlowId, revision, version, trial, who }) => {
      if (chatFlowId === state.get().detail.id && !isKnown({ revision, version, trial }))
        void follow(who.id === viewer().userId ? null : who.name)
    }),
    // Changes made before this screen had subscribed.
    connectionState.subscribe((state) => state === 'open' && void follow(null)),
  ]
  /** Records that all new conversations follow this version, or a share (`trial`) another one. */
  const published = (version: number | null, trial: Detail['trial'] = null) =>
    patch({ detail: { ...state.get().detail, version, trial, isUnpublished: trial !== null } })
  /** Stores the results of the cases on the saved draft. */
  const reviewed = (results: Pick<Detail, 'cases' | 'coverage' | 'branches'>) =>
    patch({ detail: { ...state.get().detail, ...results } })
  /** Closes the draft and saves pending changes. */
  const close = () => {
    for (const off of offs) off()
    clearTimeout(timer)
    if (state.get().saving === 'waiting') void save()
    else if (state.get().saving !== 'saving') markAs(null)
  }
  return { state, edit, undo, redo, flush, isOvertaken, saveMine, takeTheirs, published, reviewed, close }
}

/** Draft store of a flow. */
export type Draft = ReturnType<typeof createDraft>
