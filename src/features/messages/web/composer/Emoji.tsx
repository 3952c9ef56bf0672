import * as Picker from 'emoji-picker-react/primitives'
import { t } from '#web/t.ts'
import css from './composer.module.css'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Own names for the categories: the picker's first one omits faces, which it lists first.
const categories = [
  [Picker.Categories.SUGGESTED, t('Usados recentemente')],
  [Picker.Categories.SMILEYS_PEOPLE, t('Carinhas e pessoas')],
  [Picker.Categories.ANIMALS_NATURE, t('Animais e natureza')],
  [Picker.Categories.FOOD_DRINK, t('Comida e bebida')],
  [Picker.Categories.TRAVEL_PLACES, t('Viagens e lugares')],
  [Picker.Categories.ACTIVITIES, t('Atividades')],
  [Picker.Categories.OBJECTS, t('Objetos')],
  [Picker.Categories.SYMBOLS, t('Símbolos')],
  [Picker.Categories.FLAGS, t('Bandeiras')],
].map(([category, name]) => ({ category, name }) as { category: Picker.Categories; name: string })

/** Emoji picker of the composer with system emoji and Portuguese search; loads on first use. */
export function Emoji({ onPick }: { onPick: (emoji: string) => void }) {
  const isDark = document.documentElement.dataset['mantineColorScheme'] === 'dark'
  return (
    <Picker.Root
      className={css.emoji ?? ''}
      appearance="default"
      colorScheme={isDark ? 'dark' : 'light'}
      emojiData={() => import('emoji-picker-react/data/emojis-pt')}
      emojiStyle={Picker.EmojiStyle.NATIVE}
      suggestedEmojisMode={Picker.SuggestionMode.RECENT}
      searchPlaceholder={t('Buscar emoji')}
      searchClearButtonLabel={t('Limpar busca')}
      categories={categories}
      nonce={nonce}
      onEmojiClick={({ emoji }) => onPick(emoji)}
    >
      <Picker.Search />
      <Picker.CategoryNav />
      <Picker.Viewport>
        <Picker.List />
        <Picker.Empty>{t('Nenhum emoji com esse nome.')}</Picker.Empty>
        <Picker.LoadError />
      </Picker.Viewport>
    </Picker.Root>
  )
}
