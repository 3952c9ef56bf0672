import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChoices } from '#web/choices.ts'
import { formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { BlockIcon, BotIcon, CheckIcon, KanbanIcon, PersonIcon, TagIcon } from '#web/ui/icons.ts'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { BulkBar } from '#web/ui/table/BulkBar.tsx'
import type { ContactAction, ContactArgs } from '../bulk-contract.ts'
import { textsOf } from './bulk-texts.ts'
import { type ContactFilter, countOf, runBulk, type Target } from './run-bulk.ts'

type Asking = 'tag' | 'untag' | 'wallet' | 'unwallet' | 'kanban'

/** Actions on the selected contacts, or on all that match the list's filter. */
export function ChosenContacts(props: {
  chosen: readonly number[]
  filter: ContactFilter
  nameOf: (id: number) => string | undefined
  onClear: () => void
}) {
  const { chosen, filter, nameOf, onClear } = props
  const [all, setAll] = useState<{ of: string; expected: number } | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const key = JSON.stringify([chosen, filter])
  // Selecting another contact, or changing the filter, ends the selection of all.
  const expected = all?.of === key ? all.expected : null
  const { data: whole } = useQuery({
    queryKey: ['contacts', 'bulk-count', filter],
    queryFn: () => countOf(filter),
    staleTime: 10_000,
  })
  const target: Target = expected === null ? { ids: chosen } : { filter, expected }
  const count = expected ?? chosen.length
  const run = async (action: ContactAction, args: ContactArgs = {}) => {
    if (!(await runBulk(target, action, args, nameOf))) return
    setAsking(null)
    onClear()
  }
  const command = (id: ContactAction, icon: Command['icon'], how: () => void): Command => ({
    id,
    label: textsOf(id).button,
    ...(icon ? { icon } : {}),
    run: how,
  })
  const ask = (what: Asking, icon: Command['icon']) => command(what, icon, () => setAsking(what))
  return (
    <>
      <BulkBar
        count={count}
        commands={[ask('tag', TagIcon), ask('wallet', PersonIcon)]}
        onClear={onClear}
        more={
          expected === null &&
          whole !== undefined &&
          whole > chosen.length && (
            <button type="button" onClick={() => setAll({ of: key, expected: whole })}>
              {t('Selecionar os {count}', { count: formatNumber(whole) })}
            </button>
          )
        }
        end={<OtherActions command={command} run={run} ask={ask} />}
      />
      {asking && <Question action={asking} count={count} onDone={run} onClose={() => setAsking(null)} />}
    </>
  )
}

function OtherActions({
  command,
  run,
  ask,
}: {
  command: (id: ContactAction, icon: Command['icon'], how: () => void) => Command
  run: (action: ContactAction, args?: ContactArgs) => Promise<void>
  ask: (what: Asking, icon: Command['icon']) => Command
}) {
  const act = (what: ContactAction, icon: Command['icon']) => command(what, icon, () => void run(what))
  return (
    <CommandMenu
      position="top-end"
      commands={[
        ask('untag', TagIcon),
        ask('unwallet', PersonIcon),
        ask('kanban', KanbanIcon),
        act('block', BlockIcon),
        act('unblock', CheckIcon),
        act('blockBot', BotIcon),
        act('unblockBot', BotIcon),
      ]}
    />
  )
}

function Question(props: {
  action: Asking
  count: number
  onDone: (action: ContactAction, args: ContactArgs) => Promise<void>
  onClose: () => void
}) {
  const { action, count, onDone, onClose } = props
  const tags = useChoices('tags')
  const people = useChoices('users')
  const stages = useChoices('stages')
  const [ids, setIds] = useState<number[]>([])
  const [stage, setStage] = useState<string | null>(null)
  const [missing, setMissing] = useState(false)
  const isTags = action === 'tag' || action === 'untag'
  const submit = async () => {
    if (action === 'kanban' ? stage === null : ids.length === 0) return setMissing(true)
    const args = action === 'kanban' ? { kanban: Number(stage) || null } : isTags ? { tagIds: ids } : { userIds: ids }
    await onDone(action, args)
  }
  const { button } = textsOf(action)
  return (
    <FormDialog
      title={`${button}: ${plural(count, t('contato'), t('contatos'))}`}
      action={button}
      onSubmit={submit}
      onClose={onClose}
    >
      {action === 'kanban' ? (
        <Select
          data-autofocus
          openOnFocus={false}
          label={t('Etapa do kanban')}
          searchable
          data={[
            ...stages.map(({ id, name }) => ({ value: String(id), label: name })),
            { value: '0', label: t('Sem etapa (fora do painel)') },
          ]}
          value={stage}
          error={missing && stage === null ? t('Escolha a etapa.') : undefined}
          onChange={setStage}
        />
      ) : (
        <ManyChoice
          label={isTags ? t('Etiquetas') : t('Carteira')}
          none={isTags ? t('Nenhuma etiqueta com esse nome') : t('Ninguém com esse nome')}
          options={isTags ? tags : people}
          chosen={ids}
          onChange={setIds}
          error={missing && ids.length === 0 ? t('Escolha ao menos um.') : undefined}
        />
      )}
    </FormDialog>
  )
}
