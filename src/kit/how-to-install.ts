/** What is said where a channel lacks its optional package. */
export const howToInstall = (name: string): string =>
  `Instale o pacote opcional “${name}” (npm install) e reinicie o produto.`
