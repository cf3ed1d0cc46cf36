/* What the binding of the kernels needs of Python and NumPy: a few functions of the stable ABI, written out here so
 * that a library for any platform can be built on any other, without that platform's headers. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef _WIN32
#define IMPORTED __declspec(dllimport)
#define EXPORTED __declspec(dllexport)
#else
#define IMPORTED
#define EXPORTED __attribute__((visibility("default")))
#endif

typedef ptrdiff_t Size;
typedef struct Object {
    Size references;
    struct Object *type;
} Object;
typedef struct {
    const char *name;
    void *function;
    int flags;
    const char *doc;
} Method;
typedef struct {
    Object head;
    void *init;
    Size index;
    void *copy;
    const char *name;
    const char *doc;
    Size size;
    Method *methods;
    void *slots, *traverse, *clear, *release;
} Module;
enum { FASTCALL = 0x80 };

IMPORTED extern Object *PyExc_TypeError, *PyExc_ImportError, *PyExc_RuntimeError;
IMPORTED Object *PyModule_Create2(Module *, int);
IMPORTED Object *Py_BuildValue(const char *, ...);
IMPORTED Object *PyLong_FromLongLong(long long);
IMPORTED Object *PyFloat_FromDouble(double);
IMPORTED Object *PyBool_FromLong(long);
IMPORTED long long PyLong_AsLongLong(Object *);
IMPORTED double PyFloat_AsDouble(Object *);
IMPORTED int PyObject_IsTrue(Object *);
IMPORTED Size PyTuple_Size(Object *);
IMPORTED Object *PyTuple_GetItem(Object *, Size);
IMPORTED Object *PyTuple_New(Size);
IMPORTED int PyTuple_SetItem(Object *, Size, Object *);
IMPORTED Object *PyObject_CallObject(Object *, Object *);
IMPORTED Object *PyObject_CallFunctionObjArgs(Object *, ...);
IMPORTED Object *PyErr_Format(Object *, const char *, ...);
IMPORTED Object *PyErr_Occurred(void);
IMPORTED int PyType_IsSubtype(Object *, Object *);
IMPORTED Object *PyUnicode_AsUTF8String(Object *);
IMPORTED char *PyBytes_AsString(Object *);
IMPORTED extern Object PyCFunction_Type;
IMPORTED void *PyCFunction_GetFunction(Object *);
IMPORTED Object *PyCFunction_GetSelf(Object *);
IMPORTED int PyCFunction_GetFlags(Object *);
IMPORTED void Py_IncRef(Object *);
IMPORTED void Py_DecRef(Object *);
IMPORTED void *PyEval_SaveThread(void);
IMPORTED void PyEval_RestoreThread(void *);

/* A NumPy array, as its own macros have read it since version 1.7; `look` lets Python check that. */
typedef struct {
    Object head;
    char *data;
    int dimensions;
    Size *shape;
    Size *strides;
    Object *base;
    Object *type;
    int flags;
} Array;
enum { CONTIGUOUS = 0x1, WRITEABLE = 0x400, FIT = CONTIGUOUS | WRITEABLE };

typedef Object *(*Fast)(Object *, Object *const *, Size);
typedef struct {
    Object *function, *self;
    Fast fast; /* how to call it without ado; NULL if it is no function in C */
} Otherwise;
enum { STRANGERS = 8 };

static Object *array_type, *resolve;
static Object *known[TYPES]; /* the object that stood for each type of items when it was last seen */
static Object *strangers[STRANGERS]; /* types of records that the library does not know, as last seen */
static int strange;
static Otherwise otherwise_of[KERNELS];
static int variant;

/* The number of a type of items; -1 if the library knows none like it, -2 after an error. */
static int number_of(Object *type) {
    for (int i = 0; i < TYPES; i++)
        if (known[i] == type) return i;
    Object *found = PyObject_CallFunctionObjArgs(resolve, type, NULL);
    if (!found) return -2;
    int number = (int)PyLong_AsLongLong(found);
    Py_DecRef(found);
    if (number >= 0) {
        Object *before = known[number];
        Py_IncRef(type);
        known[number] = type;
        if (before) Py_DecRef(before);
    }
    return number;
}

static Array *array_of(Object *given, int dimensions, const char *kernel, int position) {
    Array *array = (Array *)given;
    if (!array_type || (given->type != array_type && !PyType_IsSubtype(given->type, array_type)) ||
        array->dimensions != dimensions || (array->flags & FIT) != FIT) {
        PyErr_Format(PyExc_TypeError, "%s: argument %d must be a contiguous, writeable array of %d dimensions.", kernel,
                     position, dimensions);
        return NULL;
    }
    return array;
}

static int is_of(Array *array, int type, const char *kernel, int position) {
    if (array->type == known[type]) return 1;
    int found = number_of(array->type);
    if (found == type) return 1;
    if (found != -2) PyErr_Format(PyExc_TypeError, "%s: argument %d is an array of another type.", kernel, position);
    return 0;
}

/* Has a type of records turned out to be another game's? */
static int is_strange(Object *type) {
    for (int i = 0; i < STRANGERS && strangers[i]; i++)
        if (strangers[i] == type) return 1;
    return 0;
}

static void note_strangers(Object **types, int count) {
    for (int k = 0; k < count; k++) {
        if (number_of(types[k]) != -1) continue;
        Object *before = strangers[strange];
        Py_IncRef(types[k]);
        strangers[strange] = types[k];
        strange = (strange + 1) % STRANGERS;
        if (before) Py_DecRef(before);
    }
}

/* Which instance of a kernel has these types of records; -1: none, -2: an error. */
static int choose(Object **types, int count, const int *table, int instances) {
    for (int i = 0; i < instances; i++) {
        int same = 1;
        for (int k = 0; k < count; k++) same &= types[k] == known[table[i * count + k]];
        if (same) return i;
    }
    for (int i = 0; i < instances; i++) {
        int same = 1;
        for (int k = 0; k < count && same; k++) {
            int number = number_of(types[k]);
            if (number == -2) return -2;
            same = number == table[i * count + k];
        }
        if (same) return i;
    }
    note_strangers(types, count);
    return -1;
}

static Object *call_otherwise(int kernel, Object *const *args, Size n) {
    const Otherwise *next = &otherwise_of[kernel];
    if (next->fast) return next->fast(next->self, args, n);
    Object *given = PyTuple_New(n);
    if (!given) return NULL;
    for (Size i = 0; i < n; i++) {
        Py_IncRef(args[i]);
        PyTuple_SetItem(given, i, args[i]);
    }
    Object *found = PyObject_CallObject(next->function, given);
    Py_DecRef(given);
    return found;
}

static Object *failed(const char *kernel, int status) {
    return PyErr_Format(PyExc_RuntimeError, "The kernel %s failed with status %d.", kernel, status);
}

static int count_is(Size n, Size wanted, const char *kernel) {
    if (n == wanted) return 1;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd.", kernel, wanted, n);
    return 0;
}

/* setup(ndarray, resolve): the type of arrays, and a function from a dtype to its number. */
static Object *setup(Object *self, Object *const *args, Size n) {
    if (!count_is(n, 2, "setup")) return NULL;
    Py_IncRef(array_type = args[0]);
    Py_IncRef(resolve = args[1]);
    return Py_BuildValue("");
}

/* look(array): what the library makes of it. */
static Object *look(Object *self, Object *const *args, Size n) {
    if (!count_is(n, 1, "look")) return NULL;
    Array *a = (Array *)args[0];
    return Py_BuildValue("(KinnKO)", (unsigned long long)(uintptr_t)a->data, a->dimensions, a->shape[0], a->shape[1],
                         (unsigned long long)(uintptr_t)a->type, PyBool_FromLong((a->flags & FIT) == FIT));
}

/* otherwise(name, function): what to call for records of types that the library does not know. A function of another
 * library is called straight. */
static Object *otherwise(Object *self, Object *const *args, Size n) {
    if (!count_is(n, 2, "otherwise")) return NULL;
    Object *name = PyUnicode_AsUTF8String(args[0]);
    if (!name) return NULL;
    for (int i = 0; i < KERNELS; i++)
        if (!strcmp(PyBytes_AsString(name), NAMES[i])) {
            Otherwise next = {args[1], NULL, NULL};
            if (args[1]->type == &PyCFunction_Type && PyCFunction_GetFlags(args[1]) == FASTCALL) {
                next.self = PyCFunction_GetSelf(args[1]);
                next.fast = (Fast)PyCFunction_GetFunction(args[1]);
            }
            Py_IncRef(args[1]);
            otherwise_of[i] = next;
            Py_DecRef(name);
            return Py_BuildValue("");
        }
    Py_DecRef(name);
    return PyErr_Format(PyExc_TypeError, "The library has no such kernel.");
}

/* What the processor can do: 0 runs the plain variant, 1 the wide one; -1 not even the plain one. */
#ifdef __x86_64__
#include <cpuid.h>
static int processor(void) {
    unsigned a, b, c = 0, d, b7 = 0, c1 = 0, unused;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return -1;
    unsigned basic = 1u << 0 | 1u << 9 | 1u << 19 | 1u << 20 | 1u << 23; /* SSE3, SSSE3, SSE4.1, SSE4.2, POPCNT */
    if ((c & basic) != basic) return -1;
    unsigned wide = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29; /* FMA, MOVBE, OSXSAVE, AVX, F16C */
    if ((c & wide) != wide) return 0;
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b7, &unused, &d) || !__get_cpuid(0x80000001, &a, &b, &c1, &d)) return 0;
    unsigned more = 1u << 3 | 1u << 5 | 1u << 8; /* BMI1, AVX2, BMI2 */
    return (b7 & more) == more && (c1 & (1u << 5)) ? 1 : 0;
}
#else
static int processor(void) { return 0; }
#endif
