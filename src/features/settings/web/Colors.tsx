import { Button, ColorInput, useMantineColorScheme } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { keysIn } from '#domain/keys.ts'
import { type ColorMaps, type ColorName, colorMaps, colorNames } from '#kit/colors.ts'
import { mutation, query, queryClient } from '#web/client.ts'
import { applyColors } from '#web/colors.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Counter, Pill } from '#web/ui/identity/badges.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import { colors } from '../addresses.ts'
import css from './colors.module.css'

type Chosen = Partial<Record<ColorName, string>>
const names = keysIn(colorNames)

const chosenOf = (maps: ColorMaps): Chosen =>
  Object.fromEntries(maps.flatMap((map) => names.flatMap((name) => (map[name] ? [[name, map[name]]] : []))))
const mapsOf = (chosen: Chosen): ColorMaps =>
  names.flatMap((name) => (chosen[name] ? [{ label: colorNames[name], [name]: chosen[name] }] : []))

/** Section with the company's colours and a preview before saving. */
export function Colors() {
  const { data = [] } = useQuery(query(colors.colors))
  const draft = useDraft(chosenOf(data))
  const maps = mapsOf(draft.value)
  const isValid = colorMaps.safeParse(maps).success
  const save = useMutation(
    mutation(colors.setColors, {
      onSuccess: async (saved) => {
        applyColors(saved)
        await queryClient.invalidateQueries({ queryKey: ['tenants'] })
        draft.discard()
        notify({ tone: 'pos', title: t('Cores salvas') })
      },
    }),
  )
  const set = (name: ColorName, value: string) => {
    const { [name]: _, ...rest } = draft.value
    draft.set(value ? { ...rest, [name]: value } : rest)
  }
  return (
    <Card
      title={t('Cores')}
      actions={
        maps.length > 0 && (
          <Button variant="subtle" size="sm" onClick={() => draft.set({})}>
            {t('Usar as do produto')}
          </Button>
        )
      }
    >
      <p className="g-help">
        {t('Você escolhe o tom; o brilho é ajustado para o texto continuar legível nos dois modos.')}
      </p>
      <Fields chosen={draft.value} set={set} />
      <div className={css.previews}>
        <Preview scheme="light" chosen={draft.value} />
        <Preview scheme="dark" chosen={draft.value} />
      </div>
      <SaveFooter
        isChanged={draft.isChanged}
        busy={save.isPending}
        onSave={() => isValid && save.mutate({ body: maps })}
        onDrop={draft.discard}
        problem={isValid ? undefined : t('Escreva as cores como #RRGGBB.')}
      />
    </Card>
  )
}

/** Inputs of the colours; without a choice they show the product's. */
function Fields({ chosen, set }: { chosen: Chosen; set: (name: ColorName, value: string) => void }) {
  return (
    <div className={css.fields}>
      {names.map((name) => (
        <ColorInput
          key={name}
          label={t(colorNames[name])}
          placeholder={t('Do produto')}
          format="hex"
          withEyeDropper={false}
          withPreview={chosen[name] !== undefined}
          value={chosen[name] ?? ''}
          onChange={(value) => set(name, value)}
        />
      ))}
    </div>
  )
}

/** Preview of the product in one mode; its colour roles derive from its own --q-* (tokens.css). */
function Preview({ scheme, chosen }: { scheme: 'light' | 'dark'; chosen: Chosen }) {
  const { colorScheme } = useMantineColorScheme()
  const own = Object.fromEntries(names.flatMap((name) => (chosen[name] ? [[`--q-${name}`, chosen[name]]] : [])))
  return (
    <div
      className={css.preview}
      data-mantine-color-scheme={scheme}
      data-current={scheme === colorScheme || undefined}
      style={own}
      role="img"
      aria-label={scheme === 'light' ? t('Como fica no modo claro') : t('Como fica no modo escuro')}
    >
      <span className={css.rail}>
        <i />
        <i />
      </span>
      <span className={css.chat}>
        <span className={css.in}>{t('Bom dia!')}</span>
        <span className={css.out}>{t('Olá, Marlene')}</span>
        <span className={css.row}>
          <span className={css.button}>{t('Responder')}</span>
          <Counter value={3} />
          <Pill tone="pos">{t('Conectado')}</Pill>
        </span>
      </span>
    </div>
  )
}
