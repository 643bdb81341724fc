/** Are the libraries here that look into pictures and films? Who installs a part of us may have left them out. */
export const canExamineMedia = (): Promise<boolean> =>
  Promise.all([import('sharp'), import('mediabunny')]).then(
    () => true,
    () => false,
  );
