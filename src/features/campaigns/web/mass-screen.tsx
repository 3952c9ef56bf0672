import { useState } from 'react'
import type { MassKind } from '#domain/campaigns/mass.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { type JobMove, JobsCard, jobCommands } from '#web/resource/jobs-card.tsx'
import { useList } from '#web/resource/use-list.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Usage } from '#web/ui/identity/Usage.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { campaignEvents } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import { dispatches } from '../mass-addresses.ts'
import css from './campaigns.module.css'
import { MASS_TITLES, STATUSES } from './labels.ts'
import { MassForm } from './MassForm.tsx'
import { MassRecipients } from './MassRecipients.tsx'

const columns: readonly Column<Campaign>[] = [
  {
    key: 'name',
    title: t('Disparo'),
    cell: (row) => <NameCell name={row.name} detail={formatDateTime(row.createdAt)} />,
  },
  {
    key: 'status',
    title: t('Status'),
    cell: (row) => <Pill tone={STATUSES[row.status].tone}>{STATUSES[row.status].label}</Pill>,
  },
  {
    key: 'done',
    title: t('Processadas'),
    cell: (row) => <Usage used={row.contactsCount - row.waiting} limit={row.contactsCount} />,
  },
  {
    key: 'sent',
    title: t('Enviadas'),
    numeric: true,
    cell: (row) => formatNumber(row.sent + row.delivered + row.read),
  },
  { key: 'failed', title: t('Falhas'), numeric: true, cell: (row) => formatNumber(row.failed + row.uncertain) },
  { key: 'replied', title: t('Responderam'), numeric: true, cell: (row) => formatNumber(row.replied) },
]

const move = (name: JobMove, id: number, done: string) =>
  attempt(() => call(dispatches[name], { params: { id } }, { quiet: true }), done)

const end = async ({ id, name, waiting }: Campaign) => {
  const sure = await confirm({
    title: t('Encerrar “{name}”?', { name }),
    text: t('{count} não recebe mais. O que já saiu continua como está.', {
      count: plural(waiting, t('contato que ainda espera'), t('contatos que ainda esperam')),
    }),
    action: t('Encerrar disparo'),
  })
  if (sure) await move('cancel', id, t('Disparo encerrado'))
}

const DONE: Readonly<Record<Exclude<JobMove, 'cancel'>, string>> = {
  pause: t('Disparo pausado'),
  resume: t('O disparo continua'),
  retry: t('As falhas são enviadas de novo'),
}

const commandsOf = (row: Campaign): readonly Command[] =>
  jobCommands(
    {
      pause: row.status === 'scheduled' || row.status === 'processing',
      resume: row.status === 'paused',
      retry: row.status === 'finished' && row.failed > 0,
      cancel: ['scheduled', 'processing', 'paused'].includes(row.status),
    },
    (name) => void (name === 'cancel' ? end(row) : move(name, row.id, DONE[name])),
  )

/** Creates the screen of one kind of message to lists: the form, and below it the progress of each dispatch. */
export const massScreen = (kind: MassKind) =>
  function MassScreen() {
    const list = useList(dispatches.list, (page) => page.dispatches, { kind }, [
      campaignEvents.changed,
      campaignEvents.progress,
    ])
    const [opened, setOpened] = useState<Campaign | null>(null)
    return (
      <Page>
        <PageHeader title={MASS_TITLES[kind]} facts={t('O envio segue no servidor: o navegador pode ser fechado.')} />
        <div className={css.column}>
          <MassForm key={kind} kind={kind} />
          <JobsCard
            list={list}
            label={t('Disparos')}
            columns={columns}
            empty={{
              title: t('Nenhum disparo ainda'),
              text: t('Escreva a mensagem, diga quem recebe e envie: o andamento aparece aqui.'),
            }}
            onOpen={setOpened}
            commands={commandsOf}
          />
        </div>
        {opened && <MassRecipients row={opened} onClose={() => setOpened(null)} />}
      </Page>
    )
  }
