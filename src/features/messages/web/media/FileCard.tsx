import type { ReactNode } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { formatBytes } from '#web/format.ts'
import { t } from '#web/t.ts'
import { DownloadIcon, FileIcon, PdfIcon } from '#web/ui/icons.ts'
import css from './media.module.css'

/** Fields of a file that its card shows. */
export type ShownFile = Pick<NonNullable<MessageRow['file']>, 'url' | 'name' | 'mime' | 'size'>

/** Card of any file; renders `children` before its download link. */
export function FileCard({ file, children }: { file: ShownFile; children?: ReactNode }) {
  const isPdf = file.mime === 'application/pdf'
  const kind = isPdf ? 'PDF' : (/\.(\w{2,5})$/.exec(file.name)?.[1]?.toUpperCase() ?? t('Arquivo'))
  return (
    <span className={css.document}>
      <span className={css.kind} data-pdf={isPdf || undefined}>
        {isPdf ? <PdfIcon size={21} /> : <FileIcon size={21} />}
      </span>
      <span className={css.about}>
        <b className="g-cut" title={file.name}>
          {file.name}
        </b>
        <span>{`${kind} · ${formatBytes(file.size)}`}</span>
      </span>
      {children}
      <a
        className={css.download}
        href={file.url}
        download={file.name}
        aria-label={t('Baixar {name}', { name: file.name })}
      >
        <DownloadIcon size={18} />
      </a>
    </span>
  )
}
