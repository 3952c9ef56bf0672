import type { Resource } from '#kit/resource.ts'
import { formatNumber } from '#web/format.ts'
import { ResourceScreen, type Row } from '#web/resource/ResourceScreen.tsx'
import { t } from '#web/t.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { type FastReply, fastReplies } from '../fast-replies.ts'
import { FastReplyForm } from './FastReplyForm.tsx'

// Its rows have more than fields.
const asTable = fastReplies as unknown as Resource
const replyOf = (row: Row) => row as unknown as FastReply

const more: readonly Column<Row>[] = [
  {
    key: 'files',
    title: t('Arquivos'),
    cell: (row) => {
      const { files } = replyOf(row)
      return files.length > 0 ? <span className="g-cut">{files.map(({ name }) => name).join(', ')}</span> : null
    },
  },
  { key: 'uses', title: t('Envios'), numeric: true, cell: (row) => formatNumber(replyOf(row).uses) },
]

const onlyTheirs = (row: Row) =>
  replyOf(row).mayChange ? null : t('Só quem criou esta mensagem, ou um supervisor, pode alterá-la.')

/** The quick replies: their texts, files, queues, and how often each was sent. */
export const FastReplies = () => (
  <ResourceScreen resource={asTable} locked={onlyTheirs} more={more} Form={FastReplyForm} />
)
