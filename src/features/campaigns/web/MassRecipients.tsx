import { ITEM_STATE_NAMES } from '#domain/campaigns/states.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { formatListTime } from '#web/format.ts'
import { JobRows } from '#web/resource/jobs-card.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { campaignEvents } from '../addresses.ts'
import type { Campaign, CampaignRecipient } from '../contract.ts'
import { dispatches } from '../mass-addresses.ts'

const columns: readonly Column<CampaignRecipient>[] = [
  { key: 'name', title: t('Nome'), cell: (row) => <NameCell name={row.name} detail={formatPhone(row.number)} /> },
  {
    key: 'state',
    title: t('Status'),
    cell: (row) => (row.repliedAt ? t('Respondeu') : row.reason || ITEM_STATE_NAMES[row.state]),
  },
  { key: 'at', title: t('Hora'), numeric: true, cell: (row) => (row.stateAt ? formatListTime(row.stateAt) : null) },
]

/** List of recipients of one message to a list, with their states. */
export function MassRecipients({ row, onClose }: { row: Campaign; onClose: () => void }) {
  const list = useList(
    dispatches.contacts,
    (page) => page.contacts,
    {},
    [campaignEvents.changed, campaignEvents.progress],
    { id: row.id },
  )
  return <JobRows list={list} label={t('Quem recebe')} columns={columns} title={row.name} onClose={onClose} />
}
