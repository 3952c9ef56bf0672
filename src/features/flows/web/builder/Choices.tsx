import { Button } from '@mantine/core'
import { rowsOf } from '#domain/messages/interactive.ts'
import { t } from '#web/t.ts'
import type { Played } from './conversation.ts'
import css from './simulator.module.css'

/** Buttons or list rows that the customer may press. */
export function Choices(props: {
  asked: Pick<Played['messages'][number], 'buttons' | 'list'>
  onChoose: (text: string) => void
}) {
  const { asked, onChoose } = props
  const { buttons, list } = asked
  const rows = list ? rowsOf(list) : buttons.map((title) => ({ id: title, title, description: undefined }))
  if (rows.length === 0) return null
  return (
    <div
      className={css.choices}
      data-list={list !== undefined || undefined}
      role="group"
      aria-label={list ? t('Lista: {name}', { name: list.button }) : t('Botões')}
    >
      {list && <small>{list.button}</small>}
      {rows.map(({ id, title, description }) => (
        <Button key={id} size="sm" variant="default" title={description} onClick={() => onChoose(title)}>
          {title}
        </Button>
      ))}
    </div>
  )
}
