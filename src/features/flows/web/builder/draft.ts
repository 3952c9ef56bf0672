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

/** A chat flow as its builder reads it. */
export type Detail = Answer<typeof flows.get>

/**
 * How far the draft is from what the server has: the same, on its way, refused for a while (`error`), or written by somebody
 * else meanwhile (`changed`), which a person has to decide.
 */
type Saving = 'saved' | 'waiting' | 'saving' | 'failed' | 'changed'

/** A draft that is being worked on. */
export type DraftState = {
  readonly document: FlowDocument
  readonly past: readonly FlowDocument[]
  readonly future: readonly FlowDocument[]
  readonly saving: Saving
  readonly savedAt: number | null
  /** Who wrote what there is last, where that was somebody else. */
  readonly by: string | null
  readonly error: string | null
  /** What the server knows of it: problems, revision, version. */
  readonly detail: Detail
}

const pauseMs = 700
const retryMs = 5000
const togetherMs = 1000
const mostSteps = 100

const hasFiles = (document: FlowDocument) => mediaIn(document).some((fields) => embeddedContent(fields) !== null)

/** The draft of a flow: edits that can be undone, and saved by themselves over the revision that was read. */
export function createDraft(detail: Detail) {
  const state = createStore<DraftState>({
    document: detail.flow,
    ...{ past: [], future: [], saving: 'saved', savedAt: null, by: null, error: null, detail },
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let underway: Promise<void> | null = null
  let last = { key: '', at: 0 }
  let mark: { name: string; end: () => void } | null = null
  // What is about to be saved would be lost with the tab alone; what cannot be saved, with the screen too.
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

  /** Changes the document; edits with the same `key` that follow at once are undone together. */
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

  /** Whether this was refused because somebody else has written meanwhile; then a person is asked what stays. */
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
      // Files that came within the document stand apart from it now, and are not sent again.
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
  /** Saves what is not saved yet; whether all of it is there now. */
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
  /** Keeps this draft over what somebody else wrote. */
  async function saveMine(): Promise<void> {
    patch({ detail: await read(), saving: 'waiting' })
    await save()
  }
  /** Goes on with what the server has; this draft is what undoing brings back. */
  async function takeTheirs(): Promise<void> {
    take(await read())
  }
  function take(theirs: Detail, by: string | null = null): void {
    const { document, past, detail: mine } = state.get()
    clearTimeout(timer)
    const isOther = theirs.revision !== mine.revision || state.get().saving !== 'saved'
    // However often somebody saves: undoing brings back what was here before them.
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
  /** Follows what somebody else has saved or published, as long as nothing of one's own is on its way. */
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
    // What was saved before this screen was subscribed.
    connectionState.subscribe((state) => state === 'open' && void follow(null)),
  ]
  /** Every new conversation follows this version, or a share of them (`trial`) another one. */
  const published = (version: number | null, trial: Detail['trial'] = null) =>
    patch({ detail: { ...state.get().detail, version, trial, isUnpublished: trial !== null } })
  /** The cases were run on what is saved. */
  const reviewed = (results: Pick<Detail, 'cases' | 'coverage' | 'branches'>) =>
    patch({ detail: { ...state.get().detail, ...results } })
  /** Ends it: what waits is sent now. */
  const close = () => {
    for (const off of offs) off()
    clearTimeout(timer)
    if (state.get().saving === 'waiting') void save()
    else if (state.get().saving !== 'saving') markAs(null)
  }
  return { state, edit, undo, redo, flush, isOvertaken, saveMine, takeTheirs, published, reviewed, close }
}

/** The draft of a flow. */
export type Draft = ReturnType<typeof createDraft>
