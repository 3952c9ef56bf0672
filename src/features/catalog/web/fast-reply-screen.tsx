import type { Resource } from '#kit/resource.ts'
import { formatNumber } from '#web/format.ts'
import { ResourceScreen, type Row } from '#web/resource/ResourceScreen.tsx'
import { t } from '#web/t.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import type { FastReply } from '../fast-replies.ts'
import { FastReplyForm } from './FastReplyForm.tsx'

const replyOf = (row: Row) => row as unknown as FastReply

const more: readonly Column<Row>[] = [
  { key: 'who', title: t('Quem usa'), cell: (row) => (replyOf(row).isPublic ? t('Todos') : t('Só você')) },
  {
    key: 'files',
    title: t('Arquivos'),
    cell: (row) => {
      const { files, voice } = replyOf(row)
      const names = files.map(({ name }) => name).join(', ')
      return names && <span className="g-cut">{voice ? t('{names} (como áudio gravado)', { names }) : names}</span>
    },
  },
  { key: 'uses', title: t('Envios'), numeric: true, cell: (row) => formatNumber(replyOf(row).uses) },
]

const onlyTheirs = (row: Row) =>
  replyOf(row).mayChange ? null : t('Só quem criou esta mensagem, ou um supervisor, pode alterá-la.')

/** Creates the page of quick replies: texts, files, queues, use counts. */
export const fastReplyScreen = (resource: Resource) => () => (
  <ResourceScreen resource={resource} locked={onlyTheirs} more={more} Form={FastReplyForm} />
)
