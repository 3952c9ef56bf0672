import { Button, FileButton } from '@mantine/core'
import type { HeaderFile } from '#domain/message-templates/template.ts'
import { t } from '#web/t.ts'
import css from './send-template.module.css'

const ACCEPTS = { image: 'image/*', video: 'video/*', document: '*' } as const

/** Button that chooses the header file of a template. */
export function HeaderFileButton(props: {
  kind: HeaderFile
  file: File | null
  onChange: (file: File | null) => void
}) {
  const { kind, file, onChange } = props
  return (
    <div className={css.file}>
      <FileButton accept={ACCEPTS[kind]} onChange={onChange}>
        {(button) => (
          <Button {...button} variant="default">
            {file ? t('Trocar o arquivo') : t('Escolher o arquivo')}
          </Button>
        )}
      </FileButton>
      <span className="g-cut">{file?.name}</span>
    </div>
  )
}
