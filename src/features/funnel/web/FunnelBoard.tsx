import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { dayIn } from '#domain/calendar/local-time.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { BoardSkeleton } from '#web/board/board-column.tsx'
import { cardOf, nextOf } from '#web/board/columns.ts'
import { DragBoard } from '#web/board/DragBoard.tsx'
import { useBoard } from '#web/board/use-board.ts'
import { type Choices, choices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { formatMoney, timeZone } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import {
  AddIcon,
  ContactsIcon,
  DeleteIcon,
  EditIcon,
  EmailIcon,
  LostIcon,
  ReopenIcon,
  StartConversationIcon,
  TransferIcon,
  WonIcon,
} from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Page, PageHeader, SearchField } from '#web/ui/layout/page.tsx'
import { opportunities } from '../addresses.ts'
import type { Figures, Opportunity } from '../contract.ts'
import { useBoardFilter } from './board-filter.ts'
import css from './funnel.module.css'
import { type CardActs, FunnelCard } from './funnel-card.tsx'
import type { Beginning } from './OpportunityForm.tsx'
import { type Card, sourceOf } from './source.ts'

const PipelineChoice = lazyPart(async () => (await import('./PipelineChoice.tsx')).PipelineChoice)
const BoardView = lazyPart(async () => (await import('./BoardView.tsx')).BoardView)
const BoardFilters = lazyPart(async () => (await import('./BoardFilters.tsx')).BoardFilters)
const OpportunityForm = lazyPart(async () => (await import('./OpportunityForm.tsx')).OpportunityForm)
const LoseDialog = lazyPart(async () => (await import('./LoseDialog.tsx')).LoseDialog)
const MailDialog = lazyPart(async () => (await import('./MailDialog.tsx')).MailDialog)
const MoveDialog = lazyPart(async () => (await import('#web/ui/feedback/MoveDialog.tsx')).MoveDialog)
const ExportOpportunities = lazyPart(async () => (await import('./ExportOpportunities.tsx')).ExportOpportunities)
const ChosenBar = lazyPart(async () => (await import('./ChosenBar.tsx')).ChosenBar)

/** Time in which a move can be undone, in ms. */
const UNDO_MS = 10_000

type Pipeline = Choices['pipelines']

/** Board of a pipeline: a column of opportunities per stage, movable by pointer or keyboard, saved at once and live. */
export function FunnelBoard() {
  const { data: pipelines, error, refetch } = useQuery(choices('pipelines'))
  const { url } = useBoardFilter()
  if (error && !pipelines)
    return (
      <Page wide>
        <LoadError text={sentence(error)} retry={() => void refetch()} />
      </Page>
    )
  if (pipelines?.length === 0) return <NoPipeline />
  const named = Number(url['funil']) || null
  const id = !pipelines || pipelines.some((one) => one.id === named) ? named : null
  return <PipelineBoard key={id} id={id} pipelines={pipelines} />
}

function NoPipeline() {
  const may = useMay()
  const navigate = useNavigate()
  return (
    <Page wide>
      <PageHeader title={t('Funil')} />
      <EmptyState
        title={t('Ainda não há um funil')}
        text={t('Um funil tem as etapas por que passam as suas vendas, do primeiro contato até a venda.')}
        {...(may('pipelines:write') && {
          step: { label: t('Criar um funil'), run: () => void navigate({ to: '/funil/pipelines' }) },
        })}
      />
    </Page>
  )
}

type Asked = { readonly what: 'move' | 'lose' | 'mail'; readonly card: Card }

/** `id`: null for the first pipeline, whose cards load in parallel with the pipelines. */
function PipelineBoard({ id, pipelines }: { id: number | null; pipelines: readonly Pipeline[] | undefined }) {
  const { url, setUrl, filter, limit, narrowed, clear } = useBoardFilter()
  const [figures, setFigures] = useState<Figures | null>(null)
  const pipeline = id === null ? pipelines?.[0] : pipelines?.find((one) => one.id === id)
  const source = useMemo(() => sourceOf(id, filter, limit, setFigures), [id, filter, limit])
  const board = useBoard(source)
  const { columns, error, read, move } = board
  const mayWrite = useMay()('funnel:write')
  const may = useMay()
  // The open card is in the URL, a new one is not.
  const opened = Number(url['id']) || null
  const [beginning, setBeginning] = useState<Beginning | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null)
  const today = dayIn(timeZone(), Date.now())
  const acts = useActs({ setUrl, setAsked, chosen, setChosen, mayWrite })
  const draw = useCallback((card: Card) => <FunnelCard card={card} today={today} acts={acts} />, [today, acts])

  const carry = async (card: Card, columnId: number | null, work: () => Promise<boolean>) => {
    const next = nextOf(columns ?? [], card)
    if (!(await work()) || columnId === card.columnId) return
    const to = columns?.find(({ id }) => id === columnId)?.name ?? ''
    const back = () => void move({ ...card, columnId }, card.columnId, next)
    notify({
      ...{ tone: 'pos', title: t('{name} foi para {to}', { name: card.name, to }), ms: UNDO_MS },
      action: { label: t('Desfazer'), run: back },
    })
  }
  const onDrop = async (id: number, columnId: number | null, index: number) => {
    const card = cardOf(columns ?? [], id)
    if (card) await carry(card, columnId, () => board.drop(id, columnId, index))
  }
  const begin = (stageId?: number) =>
    pipeline && setBeginning({ pipelineId: pipeline.id, ...(stageId === undefined ? {} : { stageId }) })
  // Renders heavy inputs after the cards; they stay while another filter is read after an error.
  const [wasRead, setRead] = useState(false)
  if (!wasRead && (columns ?? error)) setRead(true)
  const isRead = useDeferredValue(wasRead)
  const isEmpty = columns?.every(({ count }) => count === 0) ?? false

  return (
    <Page wide>
      <PageHeader
        title={t('Funil')}
        actions={
          <>
            <span className={css.pipeline}>
              {isRead && pipelines && pipeline && (
                <Suspense>
                  <PipelineChoice pipelines={pipelines} value={pipeline.id} setUrl={setUrl} />
                </Suspense>
              )}
            </span>
            <span className={`${css.tools} ${css.roomy}`}>
              {isRead && pipeline && may('funnel:export') && (
                <Suspense>
                  <ExportOpportunities filter={{ ...filter, pipelineId: pipeline.id }} />
                </Suspense>
              )}
              {mayWrite && (
                <Button variant="default" onClick={() => setChosen(chosen ? null : new Set())}>
                  {chosen ? t('Cancelar seleção') : t('Selecionar')}
                </Button>
              )}
            </span>
            {mayWrite && (
              <Button leftSection={<AddIcon size={17} />} onClick={() => begin()}>
                {t('Nova oportunidade')}
              </Button>
            )}
          </>
        }
      />
      <FilterRow
        filters={
          isRead && (
            <Suspense>
              <BoardFilters url={url} setUrl={setUrl} />
            </Suspense>
          )
        }
        isNarrowed={narrowed > 0}
        onClear={clear}
        right={
          isRead && (
            <Suspense>
              <BoardView url={url} setUrl={setUrl} limit={limit} />
            </Suspense>
          )
        }
      >
        <SearchField
          value={url['busca'] ?? ''}
          onChange={(busca) => setUrl({ busca })}
          placeholder={t('Oportunidade ou contato')}
        />
      </FilterRow>
      {figures && <FigureRow figures={figures} today={today} />}
      {!columns && !(error && pipelines) && <BoardSkeleton />}
      {error && pipelines && <LoadError text={sentence(error)} retry={() => void read()} />}
      {columns && isEmpty && narrowed > 0 && (
        <EmptyState
          title={t('Nenhuma oportunidade com este filtro')}
          text={t('Confira o que foi digitado e o que está escolhido, ou veja o funil inteiro.')}
          step={{ label: t('Limpar filtros'), run: clear }}
        />
      )}
      {columns && !(isEmpty && narrowed > 0) && (
        <div className={css.columns}>
          <DragBoard
            label={t('Oportunidades por etapa')}
            {...{ columns, draw }}
            board={{ ...board, drop: onDrop }}
            mayMove={mayWrite && chosen === null}
            above={({ id, facts, name }) => ({
              ...(facts && { facts: <StageFacts {...facts} /> }),
              ...(mayWrite && {
                tool: (
                  <IconButton
                    aria-label={t('Nova oportunidade em {name}', { name })}
                    onClick={() => begin(id ?? undefined)}
                  >
                    <AddIcon size={17} />
                  </IconButton>
                ),
              }),
            })}
          />
        </div>
      )}
      <Suspense>
        {pipeline && chosen && chosen.size > 0 && (
          <ChosenBar
            ids={[...chosen]}
            pipeline={pipeline}
            nameOf={(id) => cardOf(columns ?? [], id)?.name}
            onDone={() => setChosen(null)}
            onClear={() => setChosen(new Set())}
          />
        )}
        {opened !== null && <OpportunityForm key={opened} id={opened} onClose={() => setUrl({ id: undefined })} />}
        {beginning && <OpportunityForm id={null} beginning={beginning} onClose={() => setBeginning(null)} />}
        {asked?.what === 'lose' && (
          <LoseDialog
            title={t('Perder {name}', { name: asked.card.name })}
            onLose={(reason) => end(asked.card.id, { status: 'lose', reason })}
            onClose={() => setAsked(null)}
          />
        )}
        {asked?.what === 'mail' && <MailDialog card={asked.card} onClose={() => setAsked(null)} />}
        {pipeline && asked?.what === 'move' && (
          <MoveDialog
            title={t('Mover {name}', { name: asked.card.name })}
            placeholder={t('Escolha uma etapa')}
            nothingFound={t('Nenhuma etapa com esse nome')}
            missing={t('Escolha a etapa.')}
            action={t('Mover')}
            options={pipeline.stages
              .filter(({ id }) => id !== asked.card.columnId)
              .map(({ id, name }) => ({ value: String(id), label: name }))}
            onPick={(to) => carry(asked.card, Number(to), () => move(asked.card, Number(to), null))}
            onClose={() => setAsked(null)}
          />
        )}
      </Suspense>
    </Page>
  )
}

const end = (id: number, body: { status: 'open' | 'win' | 'lose'; reason?: string }) =>
  attempt(
    () => call(opportunities.update, { params: { id }, body }, { quiet: true }),
    { open: t('Oportunidade reaberta'), win: t('Oportunidade ganha'), lose: t('Oportunidade perdida') }[body.status],
  )

/** Returns the actions of a card; stable while nothing displayed changes. */
function useActs(props: {
  setUrl: (next: { id: number }) => void
  setAsked: (asked: Asked) => void
  chosen: ReadonlySet<number> | null
  setChosen: (chosen: ReadonlySet<number>) => void
  mayWrite: boolean
}): CardActs {
  const { setUrl, setAsked, chosen, setChosen, mayWrite } = props
  const may = useMay()
  const navigate = useNavigate()
  return useMemo(() => {
    const remove = async ({ id, name }: Opportunity) => {
      const sure = await confirm({
        title: t('Excluir {name}?', { name }),
        text: t('O histórico dela vai junto e não volta.'),
        action: t('Excluir'),
      })
      if (sure)
        await attempt(() => call(opportunities.remove, { params: { id } }, { quiet: true }), t('Oportunidade excluída'))
    }
    const commands = (card: Opportunity, talk: () => void): readonly Command[] => [
      { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: card.id }) },
      {
        id: 'talk',
        label: t('Abrir conversa'),
        icon: StartConversationIcon,
        when: () => may('tickets:start'),
        run: talk,
      },
      {
        id: 'mail',
        label: t('Enviar e-mail…'),
        icon: EmailIcon,
        when: () => mayWrite && card.contact.email.includes('@'),
        run: () => setAsked({ what: 'mail', card: { ...card, columnId: card.stageId } }),
      },
      {
        id: 'contact',
        label: t('Ver contato'),
        icon: ContactsIcon,
        when: () => may('contacts:read'),
        run: () => void navigate({ to: '/contatos', search: { id: card.contact.id } }),
      },
      {
        id: 'move',
        label: t('Mover para…'),
        icon: TransferIcon,
        when: () => mayWrite,
        run: () => setAsked({ what: 'move', card: { ...card, columnId: card.stageId } }),
      },
      {
        id: 'win',
        label: t('Ganhar'),
        icon: WonIcon,
        when: () => mayWrite && card.status !== 'win',
        run: () => void end(card.id, { status: 'win' }),
      },
      {
        id: 'lose',
        label: t('Perder…'),
        icon: LostIcon,
        when: () => mayWrite && card.status !== 'lose',
        run: () => setAsked({ what: 'lose', card: { ...card, columnId: card.stageId } }),
      },
      {
        id: 'open',
        label: t('Reabrir'),
        icon: ReopenIcon,
        when: () => mayWrite && card.status !== 'open',
        run: () => void end(card.id, { status: 'open' }),
      },
      {
        id: 'remove',
        label: t('Excluir…'),
        icon: DeleteIcon,
        tone: 'neg',
        when: () => mayWrite,
        run: () => void remove(card),
      },
    ]
    const onChoose = (id: number) => {
      const next = new Set(chosen)
      if (!next.delete(id)) next.add(id)
      setChosen(next)
    }
    return { commands, chosen, onChoose, onOpen: (id) => setUrl({ id }) }
  }, [setUrl, setAsked, chosen, setChosen, mayWrite, may, navigate])
}

function StageFacts({ value, advances }: { value: string; advances: number | null }) {
  return (
    <>
      <b>{formatMoney(value)}</b>
      {advances !== null && (
        <span title={t('De cada 100 que saíram desta etapa, quantas seguiram em frente')}>
          {t('{advances}% avançam', { advances })}
        </span>
      )}
    </>
  )
}

const monthName = (today: string) =>
  new Date(`${today}T12:00Z`).toLocaleDateString('pt-BR', { month: 'long', timeZone: 'UTC' })

function FigureRow({ figures, today }: { figures: Figures; today: string }) {
  const { open, expected, winRate, average } = figures
  const shown: readonly (readonly [string, string])[] = [
    [t('Em aberto'), formatMoney(open)],
    [t('Previsto para {month}', { month: monthName(today) }), formatMoney(expected)],
    [t('Taxa de ganho'), winRate === null ? '–' : `${winRate}%`],
    [t('Ticket médio'), average === null ? '–' : formatMoney(average)],
  ]
  return (
    <dl className={css.figures}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
