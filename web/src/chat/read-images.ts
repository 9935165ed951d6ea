/** As many images go with one question, and as large may each be. */
export const MOST_IMAGES = 5;
const LARGEST = 5 * 1024 * 1024;
const TYPES = /^image\/(?:png|jpeg|gif|webp)$/;

/** The images among pasted or chosen files as data URIs, and why some were left out. */
export async function readImages(
  files: Iterable<File>,
  room: number,
): Promise<{ readonly images: readonly string[]; readonly problem?: string }> {
  const pictures = [...files];
  const fitting = pictures.filter(({ type, size }) => TYPES.test(type) && size <= LARGEST);
  const images = await Promise.all(fitting.slice(0, room).map(dataUri));
  if (fitting.length < pictures.length)
    return { images, problem: 'Only PNG, JPEG, GIF and WebP images of up to 5 MB can be sent.' };
  if (fitting.length > room) return { images, problem: `At most ${MOST_IMAGES} images go with one message.` };
  return { images };
}

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
