import { useState } from 'react'
import { PROGRAM } from '#domain/messages/types.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { formatBytes } from '#web/format.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { DownloadIcon, WarningIcon } from '#web/ui/icons.ts'
import { FileCard } from './FileCard.tsx'
import { MailFile } from './MailFile.tsx'
import css from './media.module.css'

type File = Pick<NonNullable<MessageRow['file']>, 'url' | 'name' | 'mime' | 'size'>

/** Card of an executable file from a mail, or of a mail stored as a file. */
export const RareCard = ({ file }: { file: File }) =>
  file.mime === PROGRAM ? <ProgramCard file={file} /> : <MailCard file={file} />

function MailCard({ file }: { file: File }) {
  const [isOpened, setOpened] = useState(false)
  return (
    <FileCard file={file}>
      <button type="button" className={css.open} onClick={() => setOpened(true)}>
        {t('Abrir')}
      </button>
      {isOpened && <MailFile url={file.url} name={file.name} onClose={() => setOpened(false)} />}
    </FileCard>
  )
}

/** Card of an executable file: downloads only after a warning. */
function ProgramCard({ file }: { file: File }) {
  const { name, url, size } = file
  const save = async () => {
    const isSure = await confirm({
      title: t('Este arquivo pode ser perigoso'),
      text: t(
        '“{name}” é um programa, uma página ou um documento com macros. Aberto, pode roubar senhas ou bloquear o computador. Baixe só se você conhece quem o mandou e esperava por ele.',
        { name },
      ),
      action: t('Baixar mesmo assim'),
    })
    if (!isSure) return
    const link = document.createElement('a')
    Object.assign(link, { href: url, download: name })
    link.click()
  }
  return (
    <span className={css.document}>
      <span className={css.kind} data-program>
        <WarningIcon size={21} />
      </span>
      <span className={css.about}>
        <b className={css.whole}>{name}</b>
        <span>{t('Pode ser perigoso · {size}', { size: formatBytes(size) })}</span>
      </span>
      <button
        type="button"
        className={css.download}
        aria-label={t('Baixar {name}, que pode ser perigoso', { name })}
        onClick={() => void save()}
      >
        <DownloadIcon size={18} />
      </button>
    </span>
  )
}
