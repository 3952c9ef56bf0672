import { Button } from '@mantine/core'
import type { ListLimits } from '#domain/messages/interactive.ts'
import { itemAt } from '#domain/present.ts'
import { t } from '#web/t.ts'
import { AddIcon, DeleteIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import acts from '../acts/acts.module.css'
import { Counted } from './Counted.tsx'
import css from './interactive.module.css'
import { EMPTY_ROW, EMPTY_SECTION, type MessageDraft, type RowDraft } from './message-draft.ts'

/** Fields of a list message: its button, and its rows in sections. */
export function ListFields(props: {
  draft: MessageDraft
  limits: ListLimits
  problems: Readonly<Record<string, string>>
  onChange: (changes: Partial<MessageDraft>) => void
}) {
  const { draft, limits, problems, onChange } = props
  const { open, sections } = draft
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0)
  const isFull = count >= limits.rows
  const setRows = (s: number, rows: readonly RowDraft[]) =>
    onChange({ sections: sections.with(s, { ...itemAt(sections, s), rows }) })
  const remove = (s: number, r: number) => {
    const { rows } = itemAt(sections, s)
    if (rows.length > 1) setRows(s, rows.toSpliced(r, 1))
    else onChange({ sections: sections.toSpliced(s, 1) })
  }
  // Number of each section's first row within the whole list.
  const first = sections.map((_, s) => sections.slice(0, s).reduce((sum, { rows }) => sum + rows.length, 0))
  return (
    <>
      <Counted
        label={t('Texto do botão que abre a lista')}
        value={open}
        most={limits.button}
        error={problems['list.button']}
        onChange={(text) => onChange({ open: text })}
      />
      {sections.map(({ title, rows }, s) => (
        <fieldset key={s} className={css.section}>
          <legend className={sections.length > 1 ? undefined : 'g-hidden'}>{t('Seção {n}', { n: s + 1 })}</legend>
          {sections.length > 1 && (
            <Counted
              label={t('Título da seção {n}', { n: s + 1 })}
              value={title}
              most={limits.section}
              error={problems[`list.sections.${s}.title`]}
              onChange={(text) => onChange({ sections: sections.with(s, { title: text, rows }) })}
            />
          )}
          {rows.map((row, r) => {
            const n = itemAt(first, s) + r + 1
            const at = `list.sections.${s}.rows.${r}`
            const set = (changes: Partial<RowDraft>) => setRows(s, rows.with(r, { ...row, ...changes }))
            return (
              <div key={r} className={css.row}>
                <Counted
                  label={t('Opção {n}', { n })}
                  value={row.title}
                  most={limits.title}
                  error={problems[`${at}.title`]}
                  onChange={(text) => set({ title: text })}
                />
                <Counted
                  label={t('Descrição da opção {n} (opcional)', { n })}
                  value={row.description}
                  most={limits.description}
                  error={problems[`${at}.description`]}
                  onChange={(text) => set({ description: text })}
                />
                {count > 1 && (
                  <IconButton size={32} aria-label={t('Remover a opção {n}', { n })} onClick={() => remove(s, r)}>
                    <DeleteIcon size={17} />
                  </IconButton>
                )}
              </div>
            )
          })}
          <Button
            variant="default"
            size="sm"
            className={css.add}
            leftSection={<AddIcon size={15} />}
            disabled={isFull}
            onClick={() => setRows(s, [...rows, EMPTY_ROW])}
          >
            {sections.length > 1 ? t('Adicionar opção à seção {n}', { n: s + 1 }) : t('Adicionar opção')}
          </Button>
        </fieldset>
      ))}
      <div className={css.more}>
        <Button
          variant="default"
          size="sm"
          leftSection={<AddIcon size={15} />}
          disabled={isFull}
          onClick={() => onChange({ sections: [...sections, EMPTY_SECTION] })}
        >
          {t('Adicionar seção')}
        </Button>
        <span className={css.count}>{t('{count} de {most} opções', { count, most: limits.rows })}</span>
      </div>
      {problems['list'] && (
        <p className={acts.problem} role="alert">
          {problems['list']}
        </p>
      )}
    </>
  )
}
