import { Box, Button, Drawer } from '@mantine/core'
import { type ReactNode, type SyntheticEvent, useId, useRef } from 'react'
import { sentence } from '../../api.ts'
import { t } from '../../t.ts'
import { useUnsaved } from '../../unsaved.ts'
import { BusyButton } from '../feedback/BusyButton.tsx'
import { confirmDiscard } from '../feedback/confirm.tsx'
import { SkeletonRows } from '../feedback/skeleton.tsx'
import { LoadError } from '../feedback/states.tsx'
import { unsavedLabels } from '../feedback/unsaved-labels.ts'
import { Keys } from '../identity/badges.tsx'
import { submitByKey } from '../inputs/submit-key.ts'
import css from './form-drawer.module.css'

type Props = {
  opened: boolean
  onClose: () => void
  onSave: () => void
  title: string
  sub?: ReactNode
  avatar?: ReactNode
  tabs?: ReactNode
  changed: number
  busy: boolean
  saveLabel?: string
  size?: number
  /** False while the form's data are loading; `error` and `retry` when loading failed. */
  isReady?: boolean
  error?: unknown
  retry?: () => void
  children: ReactNode
}

/**
 * Frame of every edit form: header with `avatar`, title and one line, tabs if any, body, and a footer with the number of
 * unsaved changes. Ctrl+Enter saves; leaving with changes asks; a phone shows it full screen.
 */
export function FormDrawer(props: Props) {
  const {
    opened,
    onSave,
    title,
    sub,
    avatar,
    tabs,
    changed,
    busy,
    saveLabel = t('Salvar'),
    size = 500,
    isReady = true,
    error,
    retry = () => {},
    children,
  } = props
  const form = useId()
  const sent = useRef<HTMLFormElement>(null)
  const close = useLeaving(props)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (!busy) onSave()
  }
  return (
    <Drawer.Root
      opened={opened}
      onClose={close}
      size={size}
      className={css.root}
      position="right"
      zIndex={50}
      shadow="xl"
    >
      <Drawer.Overlay color="var(--g-scrim)" backgroundOpacity={1} />
      <Drawer.Content>
        <Box className={css.column} onKeyDown={(event) => submitByKey(event, sent.current)}>
          <Header title={title} sub={sub} avatar={avatar} />
          {tabs && <div className={css.tabs}>{tabs}</div>}
          <form ref={sent} id={form} className={css.body} noValidate onSubmit={submit}>
            {error ? <LoadError text={sentence(error)} retry={retry} /> : null}
            {!error && !isReady && <SkeletonRows kind="card" rows={4} />}
            {isReady && children}
          </form>
          <Footer form={form} changed={changed} busy={busy} saveLabel={saveLabel} onCancel={close} />
        </Box>
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Returns a function that closes the drawer, after a question where there are unsaved changes. */
function useLeaving({ opened, changed, busy, onClose }: Props): () => Promise<void> {
  useUnsaved(opened && changed > 0)
  return async () => {
    if (busy) return
    const focused = document.activeElement
    const leave =
      changed === 0 ||
      (await confirmDiscard({
        text:
          changed === 1
            ? t('Uma alteração ainda não foi salva.')
            : t('{changed} alterações ainda não foram salvas.', { changed }),
      }))
    if (leave) onClose()
    else if (focused instanceof HTMLElement) focused.focus() // the question does not give the focus back by itself
  }
}

function Header({ title, sub, avatar }: Pick<Props, 'title' | 'sub' | 'avatar'>) {
  return (
    <Drawer.Header className={css.header}>
      {avatar}
      <div className={css.names}>
        <Drawer.Title className={css.title}>{title}</Drawer.Title>
        {sub && <p className="g-cut">{sub}</p>}
      </div>
      <Drawer.CloseButton size={32} aria-label={t('Fechar')} />
    </Drawer.Header>
  )
}

/** Number of unsaved changes, and the buttons of the form with the id `form`. */
function Footer(props: {
  form: string
  changed: number
  busy: boolean
  saveLabel: string
  onCancel: () => Promise<void>
}) {
  const { form, changed, busy, saveLabel, onCancel } = props
  return (
    <footer className={css.footer}>
      <span aria-live="polite">{unsavedLabels(changed)}</span>
      <Button variant="default" onClick={onCancel}>
        {t('Cancelar')}
      </Button>
      <BusyButton
        type="submit"
        form={form}
        busy={busy}
        doing={t('Salvando')}
        rightSection={
          <span className={css.keys}>
            <Keys of="mod+↵" />
          </span>
        }
      >
        {saveLabel}
      </BusyButton>
    </footer>
  )
}
