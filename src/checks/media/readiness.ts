/** Are the libraries here that look into images and videos? Who installs a part of us may have left them out. */
export const canDecodeMedia = (): Promise<boolean> =>
  Promise.all([import('sharp'), import('mediabunny')]).then(
    () => true,
    () => false,
  );
