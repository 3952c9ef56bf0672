import { Button, SegmentedControl, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { type RefObject, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { stepsIn } from '#domain/flow/edit.ts'
import { partsOf } from '#domain/flow/parts.ts'
import { capturedBy } from '#domain/flow/read.ts'
import { firstOf, itemAt } from '#domain/present.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { download } from '#web/resource/csv.ts'
import { useMay } from '#web/session/permissions.ts'
import { useCommands } from '#web/shell/commands.ts'
import { useLayer } from '#web/shell/layers.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import {
  BackIcon,
  BarsIcon,
  CaseIcon,
  ErrorIcon,
  ExportIcon,
  PlayIcon,
  PositiveIcon,
  RedoIcon,
  RefreshIcon,
  SettingsIcon,
  ShuffleIcon,
  SignalIcon,
  TrailIcon,
  UndoIcon,
  WarningIcon,
} from '#web/ui/icons.ts'
import { ActiveState } from '#web/ui/identity/badges.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { isWriting } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import { flows } from '../../addresses.ts'
import css from './builder.module.css'
import type { Wanted } from './Canvas.tsx'
import { createDraft, type Detail, type Draft } from './draft.ts'
import { Editors } from './Editors.tsx'
import { FiguresProvider } from './figures.ts'
import type { Level } from './graph.ts'
import { savingText, stateText, Usage, useIsUnused } from './header-texts.tsx'
import { coverageMarks, type Marks, MarksProvider, pathMarks } from './marks.ts'
import { NamesProvider, useNamesOf } from './names.ts'
import { Outline } from './Outline.tsx'
import type { Asked, Panel } from './Panels.tsx'
import { StepSearch } from './StepSearch.tsx'
import { useComparison } from './use-comparison.ts'
import { useEditors } from './use-editors.ts'
import { useEdits } from './use-edits.ts'
import { useSimulator } from './use-simulator.ts'
import { useStats } from './use-stats.ts'

const Canvas = lazyPart(async () => (await import('./Canvas.tsx')).Canvas)
const Panels = lazyPart(async () => (await import('./Panels.tsx')).Panels)

const PHONE = '(max-width: 599px)'
const useIsPhone = () => useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })

// Preloads the canvas while the page renders; a failed load is retried when the canvas is shown.
const canvas = matchMedia(PHONE).matches ? null : Canvas.preload().catch(() => undefined)

/** Builder of the chat flow in the URL. */
export function Builder() {
  const [{ id = '' }] = useUrlState()
  const navigate = useNavigate()
  if (/^\d+$/.test(id)) return <Opened key={id} id={Number(id)} />
  return (
    <EmptyState
      title={t('Nenhum chatbot escolhido')}
      text={t('Escolha na lista o chatbot que você quer desenhar.')}
      step={{ label: t('Ver os chatbots'), run: () => void navigate({ to: '/chat-flow' as never }) }}
    />
  )
}

function Opened({ id }: { id: number }) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn reads once more
  useEffect(() => {
    let made: Draft | null = null
    const reading = new AbortController()
    Promise.all([call(flows.get, { params: { id } }, { quiet: true, signal: reading.signal }), canvas]).then(
      ([detail]) => {
        if (reading.signal.aborted) return
        made = createDraft(detail)
        setDraft(made)
      },
      (refused) => reading.signal.aborted || setError(refused),
    )
    return () => {
      reading.abort()
      made?.close()
    }
  }, [id, turn])
  const retry = () => {
    setError(null)
    setTurn(turn + 1)
  }
  return (
    <main className={css.page}>
      {error !== null && <LoadError text={sentence(error)} retry={retry} />}
      {!draft && error === null && <SkeletonRows kind="card" />}
      {draft && <Work draft={draft} />}
    </main>
  )
}

const levelsOf = (problems: Detail['problems']): ReadonlyMap<string | null, Level> =>
  new Map(problems.toReversed().map(({ nodeId, level }) => [nodeId, level]))

const nothing: Marks = new Map()

/** Returns the first problem of an older version that prevents its publication, as no list shows it. */
function whyNotReady(refused: unknown): { text?: string } {
  if (!isApiError(refused) || refused.code !== 'ERR_FLOW_NOT_READY') return {}
  const { problems = [], cases = [] } = refused.details as Partial<Pick<Detail, 'problems' | 'cases'>>
  const [failing] = cases
  if (problems[0]) return { text: problems[0].text }
  return failing ? { text: t('O caso “{name}” não passa nela.', { name: failing.name }) } : {}
}

/** Focuses an element of the panels once it has rendered. */
function focus(box: RefObject<HTMLElement | null>): void {
  let frames = 60
  const look = () => {
    if (box.current) box.current.focus()
    else if (frames-- > 0) requestAnimationFrame(look)
  }
  const begin = () => setTimeout(look)
  Panels.preload().then(begin, begin)
}

function Work({ draft }: { draft: Draft }) {
  const now = draft.state.use()
  const { document, past, future, saving, detail } = now
  const [opened] = useState(detail)
  const names = useNamesOf(opened)
  const isPhone = useIsPhone()
  const [view, setView] = useState<'canvas' | 'outline'>('canvas')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [panel, setPanel] = useState<Panel>(null)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [isPublishing, setPublishing] = useState(false)
  const [isSimulating, setSimulating] = useState(false)
  const [asked, setAsked] = useState<Asked>(null)
  const mayConnect = useMay()('connections:write')
  const isUnused = useIsUnused(detail.id)
  const simulator = useSimulator(draft, isSimulating)
  const comparison = useComparison(detail.id, document, names)
  const stats = useStats(detail.id, panel?.kind === 'stats')
  const editors = useEditors(detail.id)
  const panelBox = useRef<HTMLElement>(null)
  const simulatorBox = useRef<HTMLElement>(null)
  const returnTo = useRef<HTMLElement | null>(null)
  const isOutline = isPhone || view === 'outline'
  // Renders the steps first: layout measurements of the header would delay them.
  const hasHeader = useDeferredValue(true, false)

  const select = useCallback((ids: ReadonlySet<string>, isWanted = false) => {
    setSelected(ids)
    const [id] = ids
    if (ids.size !== 1 || id === undefined) return setPanel((now) => (now?.kind === 'step' ? null : now))
    const [, index] = id.split('#')
    setPanel({ kind: 'step', condition: index === undefined ? null : Number(index) })
    if (isWanted) setWanted({ id })
  }, [])
  const edits = useEdits(draft, select)
  const focusPanel = () => {
    returnTo.current = globalThis.document.activeElement as HTMLElement | null
    focus(panelBox)
  }
  const open = (id: string) => {
    select(new Set([id]), true)
    focusPanel()
  }
  const show = (next: Exclude<Panel, null>) => {
    setPanel(next)
    focusPanel()
  }
  const close = () => {
    setPanel(null)
    comparison.compare(null)
    setSelected(new Set())
    setTimeout(() => returnTo.current?.focus())
  }
  const simulate = () => {
    setSimulating(true)
    if (isPhone) setPanel(null)
    focus(simulatorBox)
  }
  // Renders the panels after the flow.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => Panels.preload().catch(() => undefined)))
    return () => cancelAnimationFrame(frame)
  }, [])
  const hasPanels = panel !== null || isSimulating || saving === 'changed' || asked !== null
  useLayer(isSimulating, () => setSimulating(false))
  useLayer(panel !== null, close)

  const steps = useMemo(() => stepsIn(document), [document])
  const parts = useMemo(() => steps.map(partsOf), [steps])
  const captured = useMemo(() => [...new Set(parts.flatMap(capturedBy))], [parts])
  const levels = useMemo(() => levelsOf(detail.problems), [detail.problems])
  const compared = panel?.kind === 'versions' ? comparison.result : null
  const shown = compared?.document ?? stats.document ?? null
  const isFixed = shown !== null
  const hasCases = panel?.kind === 'cases' && detail.cases.length > 0
  const { played } = simulator
  const marks = useMemo(() => {
    if (compared) return compared.marks
    if (stats.figures) return undefined
    if (hasCases) return coverageMarks(parts, detail)
    return isSimulating && played ? pathMarks(detail.id, played) : undefined
  }, [compared, stats.figures, hasCases, parts, detail, isSimulating, played])
  const [only] = selected
  const step = selected.size === 1 ? steps.find(({ id }) => id === only?.split('#')[0]) : undefined

  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const text = isWriting(event.target) || String(getSelection()) ? null : edits.copyText(selected)
      if (!text || (isFixed && event.type === 'cut')) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut') edits.removeIds(selected)
      else
        notify({
          tone: 'pos',
          title: t('{count} na área de transferência', { count: plural(selected.size, t('etapa'), t('etapas')) }),
        })
    }
    const paste = (event: ClipboardEvent) => {
      if (isWriting(event.target) || isFixed) return
      if (edits.paste(event.clipboardData?.getData('text/plain') ?? '', null)) event.preventDefault()
    }
    const all = [
      ['copy', copy],
      ['cut', copy],
      ['paste', paste],
    ] as const
    for (const [name, listener] of all) addEventListener(name, listener)
    return () => {
      for (const [name, listener] of all) removeEventListener(name, listener)
    }
  }, [edits, selected, isFixed])

  const publish = async (share?: number): Promise<boolean> => {
    setPublishing(true)
    try {
      if (!(await draft.flush())) return false
      // Publishes the version on screen, not one that another editor saved meanwhile.
      const body = { revision: draft.state.get().detail.revision, ...(share === undefined ? {} : { share }) }
      const { version } = await call(flows.publish, { params: { id: detail.id }, body }, { quiet: true })
      if (share === undefined) draft.published(version)
      else draft.published(detail.version, { version, share })
      notify({
        tone: 'pos',
        title:
          share === undefined
            ? t('Versão {version} publicada', { version })
            : t('Versão {version} publicada para {share} % das conversas novas', { version, share }),
      })
      return true
    } catch (refused) {
      if (draft.isOvertaken(refused)) return false
      if (isApiError(refused) && refused.code === 'ERR_FLOW_NOT_READY') {
        const failing = (refused.details as { cases?: Detail['cases'] }).cases ?? []
        const hasErrors = draft.state.get().detail.problems.some(({ level }) => level === 'error')
        const refusal = sentence(refused)
        show(hasErrors ? { kind: 'problems', refusal } : { kind: 'cases', opened: failing[0]?.id ?? null, refusal })
      } else notify({ tone: 'neg', title: sentence(refused) })
      return false
    } finally {
      setPublishing(false)
    }
  }
  const restore = async (version: number) => {
    const sure = await confirm({
      title: t('Restaurar a versão {version}?', { version }),
      text: t(
        'Ela é publicada de novo, como versão nova, e o rascunho passa a ser ela. Desfazer traz o rascunho de volta.',
      ),
      action: t('Restaurar a versão {version}', { version }),
    })
    if (!sure || !(await draft.flush())) return
    try {
      const { revision } = draft.state.get().detail
      const done = await call(
        flows.restore,
        { params: { id: detail.id, version }, body: { revision } },
        { quiet: true },
      )
      await draft.takeTheirs()
      notify({ tone: 'pos', title: t('Versão {version} publicada', { version: done.version }) })
    } catch (refused) {
      if (!draft.isOvertaken(refused)) notify({ tone: 'neg', title: sentence(refused), ...whyNotReady(refused) })
    }
  }
  const commands: readonly Command[] = useMemo(
    () => [
      { id: 'flow-undo', group: t('Fluxo'), label: t('Desfazer'), icon: UndoIcon, shortcut: 'mod+z', run: draft.undo },
      {
        id: 'flow-redo',
        group: t('Fluxo'),
        label: t('Refazer'),
        icon: RedoIcon,
        shortcut: 'mod+shift+z',
        run: draft.redo,
      },
    ],
    [draft],
  )
  useCommands(commands)
  const exported = () =>
    download(`${detail.name}.json`, JSON.stringify(draft.state.get().document, null, 2), 'application/json')
  const more: readonly Command[] = [
    { id: 'cases', label: t('Casos'), icon: CaseIcon, run: () => show({ kind: 'cases', opened: null }) },
    { id: 'versions', label: t('Versões'), icon: TrailIcon, run: () => show({ kind: 'versions' }) },
    { id: 'replay', label: t('Repetir conversas'), icon: RefreshIcon, run: () => show({ kind: 'replay' }) },
    { id: 'stats', label: t('Números'), icon: BarsIcon, run: () => show({ kind: 'stats' }) },
    {
      id: 'share',
      label: t('Publicar para uma parte…'),
      icon: ShuffleIcon,
      when: () => detail.version !== null,
      run: () => setAsked('share'),
    },
    {
      id: 'channels',
      label: t('Canais que o usam…'),
      icon: SignalIcon,
      when: () => mayConnect,
      run: () => setAsked('channels'),
    },
    { id: 'export', label: t('Exportar JSON'), icon: ExportIcon, run: exported },
    ...(isPhone
      ? [
          { id: 'settings', label: t('Configurações'), icon: SettingsIcon, run: () => show({ kind: 'settings' }) },
          { ...firstOf(commands), when: () => past.length > 0 },
          { ...itemAt(commands, 1), when: () => future.length > 0 },
        ]
      : []),
  ]
  const failing = detail.cases.filter(({ isPassed }) => !isPassed).length
  const worst =
    failing > 0 || detail.problems.some(({ level }) => level === 'error')
      ? 'error'
      : detail.problems.length > 0
        ? 'warning'
        : null
  // A flow that no connection uses would attend no conversation.
  const asksChannels = isUnused && mayConnect && worst !== 'error'
  const ProblemIcon = worst === 'error' ? ErrorIcon : worst === 'warning' ? WarningIcon : PositiveIcon
  return (
    <NamesProvider value={names}>
      <MarksProvider value={marks ?? nothing}>
        <FiguresProvider value={stats.figures}>
          <header className={css.header}>
            {hasHeader && (
              <>
                <Tooltip label={t('Voltar aos chatbots')}>
                  <Link to="/chat-flow" className="g-icon-button" aria-label={t('Voltar aos chatbots')}>
                    <BackIcon size={19} />
                  </Link>
                </Tooltip>
                <div className={css.title}>
                  <h1>
                    <span className="g-cut">{detail.name}</span>
                    <ActiveState isActive={detail.isActive} />
                  </h1>
                  <p role="status">
                    {savingText(now)}
                    <Usage {...detail} />
                  </p>
                </div>
                {!isPhone && (
                  <>
                    <StepSearch steps={parts} onOpen={open} />
                    <SegmentedControl
                      aria-label={t('Como mostrar')}
                      value={view}
                      onChange={(next) => setView(next)}
                      data={[
                        { value: 'canvas', label: t('Quadro') },
                        { value: 'outline', label: t('Lista') },
                      ]}
                    />
                    <Tooltip label={t('Desfazer (Ctrl+Z)')}>
                      <IconButton aria-label={t('Desfazer')} disabled={past.length === 0} onClick={draft.undo}>
                        <UndoIcon size={19} />
                      </IconButton>
                    </Tooltip>
                    <Tooltip label={t('Refazer (Ctrl+Shift+Z)')}>
                      <IconButton aria-label={t('Refazer')} disabled={future.length === 0} onClick={draft.redo}>
                        <RedoIcon size={19} />
                      </IconButton>
                    </Tooltip>
                  </>
                )}
                <div className={css.actions}>
                  <Editors editors={editors} />
                  <button
                    type="button"
                    className={css.state}
                    data-level={worst ?? undefined}
                    onClick={() => show({ kind: 'problems' })}
                  >
                    <ProblemIcon size={16} />
                    <span className="g-cut">{stateText(detail.problems, failing)}</span>
                  </button>
                  <Tooltip label={t('Conversar com o rascunho')}>
                    <IconButton
                      aria-label={t('Simulador')}
                      aria-pressed={isSimulating}
                      onClick={() => (isSimulating ? setSimulating(false) : simulate())}
                    >
                      <PlayIcon size={18} />
                    </IconButton>
                  </Tooltip>
                  {!isPhone && (
                    <Button
                      variant="default"
                      leftSection={<SettingsIcon size={17} />}
                      onClick={() => show({ kind: 'settings' })}
                    >
                      {t('Configurações')}
                    </Button>
                  )}
                  <BusyButton
                    busy={isPublishing}
                    doing={t('Publicando')}
                    onClick={() => (asksChannels ? setAsked('publish') : void publish())}
                  >
                    {t('Publicar')}
                  </BusyButton>
                  <CommandMenu commands={more} label={t('Mais do fluxo')} />
                </div>
              </>
            )}
          </header>
          <div className={css.work}>
            {isOutline && !(isPhone && (panel || isSimulating)) && (
              <Outline {...{ draft, shown, edits, levels, selected }} searches={isPhone} onOpen={open} />
            )}
            {!isOutline && (
              <Canvas
                {...{ draft, edits, levels, selected, wanted }}
                shown={shown}
                onSelect={select}
                onEnter={focusPanel}
                onLook={stats.look}
              />
            )}
            {hasPanels && (
              <Suspense>
                <Panels
                  {...{ draft, edits, panel, step, parts, captured, comparison, stats, simulator, asked }}
                  {...{ panelBox, simulatorBox }}
                  selected={only}
                  isSimulating={isSimulating && !(isPhone && panel)}
                  onOpen={open}
                  onShow={(id) => setWanted({ id })}
                  onPanel={(next, isFocused = true) => (isFocused ? show(next) : setPanel(next))}
                  onRestore={restore}
                  onPublish={publish}
                  onSimulate={(isOn) => (isOn ? simulate() : setSimulating(false))}
                  onAsk={setAsked}
                  onClose={close}
                />
              </Suspense>
            )}
          </div>
        </FiguresProvider>
      </MarksProvider>
    </NamesProvider>
  )
}
