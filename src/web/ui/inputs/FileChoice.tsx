import { Button, FileButton } from '@mantine/core'
import { t } from '#web/t.ts'
import { UploadIcon } from '../icons.ts'
import { emptiedOnClick } from './emptied-on-click.ts'
import css from './fields.module.css'

/** Input of one file that goes with a message (picture, audio, video or PDF); `name` is that of the present file. */
export function FileChoice(props: {
  name: string | null | undefined
  onChange: (file: File | null) => void
  onRemove: () => void
}) {
  const { name, onChange, onRemove } = props
  return (
    <div className={css.fileChoice}>
      <FileButton inputProps={emptiedOnClick} onChange={onChange} accept="image/*,audio/*,video/*,application/pdf">
        {(button) => (
          <Button {...button} variant="default" leftSection={<UploadIcon size={17} />}>
            {name ? t('Trocar arquivo') : t('Juntar um arquivo')}
          </Button>
        )}
      </FileButton>
      {name && (
        <>
          <span className="g-cut">{name}</span>
          <Button variant="default" onClick={onRemove}>
            {t('Tirar')}
          </Button>
        </>
      )}
    </div>
  )
}
