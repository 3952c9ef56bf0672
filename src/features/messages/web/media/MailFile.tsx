import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MailPerson } from '#domain/messages/mail.ts'
import type { MailInFile } from '#features/files/mail-file.ts'
import { request, sentence } from '#web/api.ts'
import { formatBytes, formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { DownloadIcon, FileIcon } from '#web/ui/icons.ts'
import css from './mail-file.module.css'

const nameOf = ({ name, address }: MailPerson): string => (name ? `${name} <${address}>` : address)

/** Dialog of a mail stored as a file (`url`): its header, text, and attachments as downloads. */
export function MailFile({ url, name, onClose }: { url: string; name: string; onClose: () => void }) {
  const read = useQuery({
    queryKey: ['mail-file', url],
    queryFn: ({ signal }) => request<MailInFile>('GET', `${url.replace(/^\/api/, '')}/mail`, { signal }),
    staleTime: 300_000,
  })
  const mail = read.data
  return (
    <Modal opened onClose={onClose} size="xl" title={mail ? mail.subject || t('(sem assunto)') : name}>
      {read.isPending && <p>{t('Abrindo…')}</p>}
      {read.error && <p role="alert">{sentence(read.error)}</p>}
      {mail && <Opened mail={mail} url={url} />}
    </Modal>
  )
}

function Opened({ mail, url }: { mail: MailInFile; url: string }) {
  const [isUnfolded, setUnfolded] = useState(false)
  const { from, to, cc, writtenAt, text, quoted, files } = mail
  const rows: readonly (readonly [string, readonly MailPerson[]])[] = [
    [t('De'), [from]],
    [t('Para'), to],
    [t('Cc'), cc],
  ]
  return (
    <article className={css.mail}>
      <header className={css.header}>
        {rows.map(([label, people]) =>
          people.length === 0 ? null : (
            <span key={label}>
              {label}: <bdi>{people.map(nameOf).join(', ')}</bdi>
            </span>
          ),
        )}
        {writtenAt !== null && <span>{formatDateTime(writtenAt)}</span>}
      </header>
      <p className={css.text}>{text || t('Este e-mail não tem texto.')}</p>
      {quoted && (
        <Button variant="subtle" size="compact-xs" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? t('Esconder o texto citado') : t('Mostrar o texto citado')}
        </Button>
      )}
      {isUnfolded && <p className={css.quoted}>{quoted}</p>}
      {files.length > 0 && (
        <ul className={css.files}>
          {files.map((file, at) => (
            <li key={at}>
              <FileIcon size={18} />
              <span className="g-cut" title={file.name}>
                {file.name}
              </span>
              <small>{file.isTaken ? formatBytes(file.size) : t('Programas não são abertos aqui.')}</small>
              {file.isTaken && (
                <a href={`${url}/mail/${at}`} download={file.name} aria-label={t('Baixar {name}', { name: file.name })}>
                  <DownloadIcon size={18} />
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}
