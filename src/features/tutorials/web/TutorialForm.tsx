import { Button, FileButton } from '@mantine/core'
import { useState } from 'react'
import type { Resource } from '#kit/resource.ts'
import { call } from '#web/client.ts'
import { ResourceForm } from '#web/resource/ResourceForm.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { UploadIcon } from '#web/ui/icons.ts'
import { emptiedOnClick } from '#web/ui/inputs/emptied-on-click.ts'
import { tutorials as at, tutorialExtras } from '../addresses.ts'
import css from './tutorials.module.css'

/** Form of a tutorial with its picture, which is stored when the form is saved. */
export function TutorialForm({ id, ...props }: { resource: Resource; id: string; onClose: () => void }) {
  const stored = useRow(at.get, id).data?.thumbnail ?? null
  const [file, setFile] = useState<File | null>(null)
  const [isGone, setGone] = useState(false)
  const shown = file?.name ?? (stored && !isGone ? t('Imagem guardada') : null)
  const save = async (tutorialId: number) => {
    const params = { id: tutorialId }
    if (file) {
      const form = new FormData()
      form.append('file', file, file.name)
      await call(tutorialExtras.setThumbnail, { params, body: form }, { long: true, quiet: true })
    } else if (isGone) await call(tutorialExtras.removeThumbnail, { params }, { quiet: true })
  }
  return (
    <ResourceForm {...props} id={id} also={file || isGone ? 1 : 0} afterSave={save}>
      <div className={css.picture}>
        <FileButton inputProps={emptiedOnClick} accept="image/*" onChange={setFile}>
          {(button) => (
            <Button {...button} variant="default" leftSection={<UploadIcon size={17} />}>
              {shown ? t('Trocar a imagem') : t('Escolher uma imagem')}
            </Button>
          )}
        </FileButton>
        {shown && (
          <>
            <span className="g-cut">{shown}</span>
            <Button
              variant="default"
              onClick={() => {
                setFile(null)
                setGone(stored !== null)
              }}
            >
              {t('Tirar')}
            </Button>
          </>
        )}
      </div>
    </ResourceForm>
  )
}
