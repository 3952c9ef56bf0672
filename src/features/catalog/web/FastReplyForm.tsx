import { Button, FileButton } from '@mantine/core'
import { useState } from 'react'
import type { Resource } from '#kit/resource.ts'
import { call } from '#web/client.ts'
import { formatBytes } from '#web/format.ts'
import { ResourceForm } from '#web/resource/ResourceForm.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { AttachIcon, CloseIcon } from '#web/ui/icons.ts'
import { emptiedOnClick } from '#web/ui/inputs/emptied-on-click.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { fastReplies as at } from '../addresses.ts'
import { fastReplyFiles } from '../uses-addresses.ts'
import css from './catalog.module.css'

const MOST_FILES = 10

/** Form of a quick reply with its files; file changes are stored when the form is saved. */
export function FastReplyForm({ id, ...props }: { resource: Resource; id: string; onClose: () => void }) {
  const stored = useRow(at.get, id).data?.files ?? []
  const [added, setAdded] = useState<readonly File[]>([])
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const left = stored.filter((file) => !gone.has(file.id))
  const free = MOST_FILES - left.length - added.length
  const save = async (replyId: number) => {
    for (const fileId of gone) await call(fastReplyFiles.remove, { params: { id: replyId, fileId } }, { quiet: true })
    setGone(new Set())
    if (added.length === 0) return
    const form = new FormData()
    for (const file of added) form.append('medias', file, file.name)
    await call(fastReplyFiles.add, { params: { id: replyId }, body: form }, { long: true, quiet: true })
    setAdded([])
  }
  const items = [
    ...left.map((file) => ({ ...file, key: file.id, remove: () => setGone(new Set([...gone, file.id])) })),
    ...added.map((file, at) => ({
      ...{ key: `${at} ${file.name}`, name: file.name, size: file.size },
      remove: () => setAdded(added.filter((one) => one !== file)),
    })),
  ]
  return (
    <ResourceForm {...props} id={id} also={added.length + gone.size} afterSave={save}>
      <section className={css.files} aria-label={t('Arquivos')}>
        {items.length > 0 && (
          <ul>
            {items.map(({ key, name, size, remove }) => (
              <li key={key}>
                <AttachIcon size={16} />
                <span className="g-cut">{name}</span>
                <small>{formatBytes(size)}</small>
                <IconButton aria-label={t('Tirar {name}', { name })} onClick={remove}>
                  <CloseIcon size={16} />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
        <FileButton
          inputProps={emptiedOnClick}
          multiple
          onChange={(files) => setAdded([...added, ...files.slice(0, free)])}
        >
          {(button) => (
            <Button {...button} variant="default" leftSection={<AttachIcon size={17} />} disabled={free <= 0}>
              {t('Anexar arquivos')}
            </Button>
          )}
        </FileButton>
        <small>{t('Até dez arquivos de 16 MB. Saem junto com o texto, na ordem da lista.')}</small>
      </section>
    </ResourceForm>
  )
}
