/* Files and directories of the working directory, through stdio and directly. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

int main(void) {
  FILE* file = fopen("numbers.txt", "w+");
  if (file == NULL) return printf("fopen: %s\n", strerror(errno)), 1;
  for (int i = 0; i < 3000; ++i) fprintf(file, "%d %d\n", i, i * i);
  fseek(file, 1000, SEEK_SET);
  int a = 0, b = 0;
  fscanf(file, "%*s %d %d", &a, &b);
  printf("at 1000: %d %d, size %ld\n", a, b, (fseek(file, 0, SEEK_END), ftell(file)));
  fclose(file);

  printf("mkdir %d, again %d (%s)\n", mkdir("folder", 0755), mkdir("folder", 0755),
         strerror(errno));
  printf("rename %d\n", rename("numbers.txt", "folder/moved.txt"));
  int fd = open("folder/moved.txt", O_RDWR);
  char text[20] = {0};
  printf("pread %zd %s", pread(fd, text, 12, 0), text);
  printf("pwrite %zd\n", pwrite(fd, "XY", 2, 0));
  printf("truncate %d\n", ftruncate(fd, 100));
  int copy = dup(fd);
  lseek(fd, 98, SEEK_SET);
  printf("read through the copy %zd\n", read(copy, text, 20));
  struct stat status;
  fstat(fd, &status);
  printf("size %ld regular %d links %d\n", (long)status.st_size, S_ISREG(status.st_mode),
         (int)status.st_nlink);
  close(fd);
  close(copy);
  fclose(fopen("folder/b", "w"));
  fclose(fopen("folder/a", "w"));

  char* names[10];
  int count = 0;
  DIR* directory = opendir("folder");
  for (struct dirent* entry; (entry = readdir(directory)) != NULL && count < 10;) {
    names[count++] = strdup(entry->d_name);
  }
  closedir(directory);
  qsort(names, (size_t)count, sizeof names[0], by_name);
  for (int i = 0; i < count; ++i) printf("entry %s\n", names[i]);

  printf("chdir %d, access %d\n", chdir("folder"), access("moved.txt", R_OK | W_OK));
  printf("unlink %d %d %d\n", unlink("moved.txt"), unlink("a"), unlink("b"));
  printf("missing %d (%s)\n", unlink("b"), strerror(errno));
  printf("rmdir %d\n", (chdir(".."), rmdir("folder")));
  printf("null %zd\n", write(open("/dev/null", O_WRONLY), "x", 1));
  return 0;
}
