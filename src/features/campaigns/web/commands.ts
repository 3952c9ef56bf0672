import { type UseNavigateResult, useNavigate } from '@tanstack/react-router'
import { mayMove } from '#domain/campaigns/states.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CheckIcon, CopyIcon, DeleteIcon, EditIcon, PauseIcon, PlayIcon, StopIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import { campaigns } from '../addresses.ts'
import type { Campaign } from '../contract.ts'

type Move = 'pause' | 'resume' | 'cancel' | 'skip' | 'finish'

/** Runs a command on a campaign and notifies its success; returns whether it succeeded. */
export const moveCampaign = (name: Move, id: number, title: string): Promise<boolean> =>
  attempt(async () => {
    await call(campaigns[name], { params: { id } }, { quiet: true })
    notify({ tone: 'pos', title })
    return true
  }).then((done) => done === true)

/** Returns the commands of a campaign that its state permits; `edit` opens its form. */
export function useCampaignCommands(edit: (id: number) => void): (row: Campaign) => readonly Command[] {
  const navigate = useNavigate()
  const duplicate = (row: Campaign, onlySilent: boolean) =>
    attempt(async () => {
      const made = await call(campaigns.duplicate, { params: { id: row.id }, body: { onlySilent } }, { quiet: true })
      notify({ tone: 'pos', title: t('Campanha duplicada') })
      void navigate({ to: `/campanhas/${made.id}` })
    })
  const remove = (row: Campaign) => removeCampaign(row, navigate)
  return (row) => [
    {
      id: 'edit',
      label: t('Editar'),
      icon: EditIcon,
      when: () => mayMove(row.status, 'edit'),
      run: () => edit(row.id),
    },
    {
      ...{ id: 'pause', label: t('Pausar envio'), icon: PauseIcon, when: () => mayMove(row.status, 'pause') },
      run: () => void moveCampaign('pause', row.id, t('Envio pausado')),
    },
    {
      ...{ id: 'resume', label: t('Continuar envio'), icon: PlayIcon, when: () => mayMove(row.status, 'resume') },
      run: () => void moveCampaign('resume', row.id, t('O envio continua')),
    },
    {
      ...{ id: 'cancel', label: t('Cancelar campanha'), icon: StopIcon, when: () => mayMove(row.status, 'cancel') },
      run: () => void moveCampaign('cancel', row.id, t('Campanha cancelada')),
    },
    {
      ...{ id: 'finish', label: t('Forçar finalização'), icon: CheckIcon, when: () => mayMove(row.status, 'finish') },
      run: () => void finish(row),
    },
    { id: 'copy', label: t('Duplicar'), icon: CopyIcon, run: () => void duplicate(row, false) },
    {
      ...{ id: 'again', label: t('Escrever a quem não respondeu'), icon: CopyIcon },
      when: () => row.status === 'finished' && row.sent + row.delivered + row.read > row.replied,
      run: () => void duplicate(row, true),
    },
    {
      ...{
        id: 'remove',
        label: t('Excluir…'),
        icon: DeleteIcon,
        tone: 'neg',
        when: () => mayMove(row.status, 'remove'),
      },
      run: () => void remove(row),
    },
  ]
}

async function removeCampaign({ id, name }: Campaign, navigate: UseNavigateResult<string>) {
  const sure = await confirm({
    title: t('Excluir “{name}”?', { name }),
    text: t('A campanha e a lista de contatos dela se vão. Os contatos e as conversas continuam.'),
    action: t('Excluir campanha'),
  })
  if (!sure) return
  await attempt(async () => {
    await call(campaigns.remove, { params: { id } }, { quiet: true })
    notify({ tone: 'pos', title: t('Campanha excluída') })
    void navigate({ to: '/campanhas' })
  })
}

async function finish({ id, name, waiting }: Campaign) {
  const sure = await confirm({
    title: t('Finalizar “{name}” agora?', { name }),
    text: t('{count} mais. O que já saiu continua como está.', {
      count: plural(waiting, t('contato da fila não recebe'), t('contatos da fila não recebem')),
    }),
    action: t('Finalizar campanha'),
  })
  if (sure) await moveCampaign('finish', id, t('Campanha finalizada'))
}
