import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { UseMacro } from '#features/macros/web/UseMacro.tsx'
import type { BulkAction, BulkArgs } from '#features/tickets/bulk-contract.ts'
import { Choice } from '#features/tickets/web/asked/Choice.tsx'
import { Snooze } from '#features/tickets/web/asked/Snooze.tsx'
import { BulkTags } from '#features/tickets/web/bulk/BulkTags.tsx'
import { BulkTransfer } from '#features/tickets/web/bulk/BulkTransfer.tsx'
import { countOf, type Perform, runBulk, type Target } from '#features/tickets/web/bulk/run.tsx'
import { useConnections, useStages } from '#features/tickets/web/choices/choices.ts'
import { clearChosen, useChosen } from '#features/tickets/web/choices/selection.ts'
import { Closing } from '#features/tickets/web/closing/closing-dialog.tsx'
import { asksAtEnd } from '#features/tickets/web/closing/resolve.ts'
import type { ListFilter } from '#features/tickets/web/lists/list-filter.ts'
import { notifyError } from '#web/api.ts'
import { formatNumber } from '#web/format.ts'
import { isSettingOn } from '#web/session/permissions.ts'
import { useCommands } from '#web/shell/commands.ts'
import { useLayer } from '#web/shell/layers.ts'
import { plural, t } from '#web/t.ts'
import {
  CheckIcon,
  KanbanIcon,
  MacroIcon,
  ReopenIcon,
  ReturnIcon,
  ShowIcon,
  SignalIcon,
  SnoozeIcon,
  TagIcon,
  TakeIcon,
  TransferIcon,
  UnreadIcon,
} from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { BulkBar } from '#web/ui/table/BulkBar.tsx'

const group = t('Selecionados')

/** Bulk actions with a dialog. */
type Question = 'transfer' | 'tag' | 'untag' | 'snooze' | 'channel' | 'macro' | 'kanban' | 'close' | 'close-unrated'

/** Bar of actions on the selected tickets, or on all that match the list's filter. */
export function ChosenBar({ filter }: { filter: ListFilter }) {
  const chosen = useChosen()
  // Changing the selection ends the selection of all.
  const [all, setAll] = useState<{ of: ReadonlySet<number>; expected: number } | null>(null)
  const expected = all?.of === chosen ? all.expected : null
  const [asking, setAsking] = useState<Question | null>(null)
  const { data: whole } = useQuery({
    queryKey: ['attendance', 'bulk-count', filter],
    queryFn: () => countOf(filter),
    staleTime: 10_000,
  })
  useLayer(asking === null, clearChosen)
  const target = useMemo<Target>(
    () => (expected === null ? { ids: [...chosen] } : { filter, expected }),
    [chosen, expected, filter],
  )
  const commands = useMemo(() => commandsFor(filter, (...act) => void run(target, ...act), setAsking), [filter, target])
  useCommands(commands)
  const count = expected ?? chosen.size
  const main = commands.filter(({ id }) => mainOf(filter).includes(id))
  const others = commands.filter((one) => !main.includes(one))
  return (
    <>
      <BulkBar
        isInside
        count={count}
        commands={main}
        onClear={clearChosen}
        more={
          expected === null &&
          whole !== undefined &&
          whole > chosen.size && (
            <button type="button" onClick={() => setAll({ of: chosen, expected: whole })}>
              {t('Selecionar os {count}', { count: formatNumber(whole) })}
            </button>
          )
        }
        end={<CommandMenu commands={others} position="top-end" />}
      />
      {asking && <Questions asking={asking} target={target} count={count} onClose={() => setAsking(null)} />}
    </>
  )
}

function Questions(props: { asking: Question; target: Target; count: number; onClose: () => void }) {
  const { asking, target, count, onClose } = props
  const perform: Perform = async (...act) => {
    if (await run(target, ...act)) onClose()
  }
  return (
    <>
      {asking === 'transfer' && <BulkTransfer count={count} onDone={perform} onClose={onClose} />}
      {(asking === 'tag' || asking === 'untag') && (
        <BulkTags action={asking} count={count} onDone={perform} onClose={onClose} />
      )}
      {asking === 'snooze' && (
        <Snooze
          title={t('Adiar {tickets}', { tickets: plural(count, t('atendimento'), t('atendimentos')) })}
          onPick={(until) => perform('snooze', { until })}
          onClose={onClose}
        />
      )}
      {asking === 'macro' && (
        <UseMacro
          title={t('Usar uma macro em {tickets}', { tickets: plural(count, t('atendimento'), t('atendimentos')) })}
          ticketId={null}
          onUse={({ id }, args) => perform('macro', { ...args, macroId: id })}
          onClose={onClose}
        />
      )}
      {(asking === 'close' || asking === 'close-unrated') && (
        <Closing
          title={t('Resolver {tickets}', { tickets: plural(count, t('atendimento'), t('atendimentos')) })}
          isUnrated={asking === 'close-unrated'}
          onResolve={(args) => perform('close', args)}
          onClose={onClose}
        />
      )}
      {asking === 'channel' && <BulkChannel count={count} onDone={perform} onClose={onClose} />}
      {asking === 'kanban' && <BulkStage count={count} onDone={perform} onClose={onClose} />}
    </>
  )
}

/** “Mudar de canal” dialog of many tickets. */
function BulkChannel({ count, onDone, onClose }: { count: number; onDone: Perform; onClose: () => void }) {
  return (
    <Choice
      title={t('Mudar o canal de {tickets}', { tickets: plural(count, t('atendimento'), t('atendimentos')) })}
      hint={t('As conversas continuam por outro canal; responsáveis, filas e histórico ficam.')}
      label={t('Canal')}
      missing={t('Escolha o canal.')}
      button={t('Mudar de canal')}
      rows={useConnections()}
      onPick={(whatsappId) => onDone('channel', { whatsappId })}
      onClose={onClose}
    />
  )
}

/** “Mudar a etapa” dialog of many tickets; its last choice removes them from the board. */
function BulkStage({ count, onDone, onClose }: { count: number; onDone: Perform; onClose: () => void }) {
  return (
    <Choice
      title={t('Mudar a etapa de {tickets}', { tickets: plural(count, t('atendimento'), t('atendimentos')) })}
      hint={t('A etapa é do contato: ele vai para o fim da coluna, e seus outros atendimentos em andamento o seguem.')}
      label={t('Etapa do kanban')}
      missing={t('Escolha a etapa.')}
      button={t('Mudar a etapa')}
      rows={[...(useStages() ?? []), { id: 0, name: t('Sem etapa (fora do painel)') }]}
      onPick={(kanban) => onDone('kanban', { kanban: kanban || null })}
      onClose={onClose}
    />
  )
}

async function run(target: Target, action: BulkAction, args?: BulkArgs): Promise<boolean> {
  const isDone = await runBulk(target, action, args)
  if (isDone) clearChosen()
  return isDone
}

/** Actions shown as buttons of the bar, by tab. */
const mainOf = ({ tab }: ListFilter): readonly string[] =>
  tab === 'closed'
    ? ['bulk-reopen', 'bulk-tag']
    : tab === 'snoozed'
      ? ['bulk-wake', 'bulk-close']
      : tab === 'pending'
        ? ['bulk-accept', 'bulk-transfer']
        : ['bulk-close', 'bulk-transfer']

function commandsFor(
  { tab }: ListFilter,
  run: (action: BulkAction, args?: BulkArgs) => void,
  ask: (what: Question) => void,
): Command[] {
  const isLive = () => tab !== 'closed'
  // Closes at once, or after one dialog for all tickets.
  const end = async (question: Question, args: BulkArgs) => {
    const asks = await asksAtEnd().catch(notifyError)
    if (asks !== undefined) asks ? ask(question) : run('close', args)
  }
  return [
    {
      id: 'bulk-accept',
      group,
      label: t('Atender'),
      icon: TakeIcon,
      shortcut: 'a',
      when: isLive,
      run: () => run('accept'),
    },
    {
      id: 'bulk-close',
      group,
      label: t('Resolver'),
      icon: CheckIcon,
      shortcut: 'e',
      when: isLive,
      run: () => void end('close', {}),
    },
    {
      id: 'bulk-transfer',
      group,
      label: t('Transferir'),
      icon: TransferIcon,
      shortcut: 't',
      when: isLive,
      run: () => ask('transfer'),
    },
    {
      id: 'bulk-return',
      group,
      label: t('Devolver à fila'),
      icon: ReturnIcon,
      when: isLive,
      run: () => run('return'),
    },
    {
      id: 'bulk-close-unrated',
      group,
      label: t('Resolver sem avaliação'),
      icon: CheckIcon,
      when: () => isLive() && isSettingOn('ratingStoreUse'),
      run: () => void end('close-unrated', { unrated: true }),
    },
    {
      id: 'bulk-reopen',
      group,
      label: t('Reabrir'),
      icon: ReopenIcon,
      when: () => tab === 'closed' || tab === 'live',
      run: () => run('reopen'),
    },
    {
      id: 'bulk-snooze',
      group,
      label: t('Adiar'),
      icon: SnoozeIcon,
      shortcut: 'h',
      when: () => isLive() && tab !== 'snoozed',
      run: () => ask('snooze'),
    },
    {
      id: 'bulk-wake',
      group,
      label: t('Trazer de volta'),
      icon: SnoozeIcon,
      shortcut: 'h',
      when: () => tab === 'snoozed',
      run: () => run('snooze', { until: null }),
    },
    { id: 'bulk-macro', group, label: t('Usar macro'), icon: MacroIcon, shortcut: 'shift+m', run: () => ask('macro') },
    {
      id: 'bulk-channel',
      group,
      label: t('Mudar de canal'),
      icon: SignalIcon,
      when: isLive,
      run: () => ask('channel'),
    },
    { id: 'bulk-read', group, label: t('Marcar como lidos'), icon: ShowIcon, run: () => run('read') },
    {
      id: 'bulk-unread',
      group,
      label: t('Marcar como não lidos'),
      icon: UnreadIcon,
      shortcut: 'u',
      run: () => run('unread'),
    },
    { id: 'bulk-kanban', group, label: t('Mudar a etapa'), icon: KanbanIcon, when: isLive, run: () => ask('kanban') },
    { id: 'bulk-tag', group, label: t('Etiquetar'), icon: TagIcon, run: () => ask('tag') },
    { id: 'bulk-untag', group, label: t('Tirar etiquetas'), icon: TagIcon, run: () => ask('untag') },
  ]
}
